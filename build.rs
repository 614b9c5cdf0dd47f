//! Writes libtorch's folder into the binary's run path, so that it starts without LD_LIBRARY_PATH.

use std::path::PathBuf;

// Cargo reads what this prints.
#[allow(clippy::disallowed_macros)]
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=DEP_TCH_LIBTORCH_LIB");
    let Some(folder) = std::env::var_os("DEP_TCH_LIBTORCH_LIB").map(PathBuf::from) else { return };
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    // CUDA announces itself when its library is loaded. Nothing of it is called by name, so the linker,
    // which drops what nobody calls, has to be told to keep it.
    if folder.join("libtorch_cuda.so").exists() {
        println!("cargo:rustc-link-arg=-L{}", folder.display());
        println!("cargo:rustc-link-arg=-Wl,--push-state,--no-as-needed,-ltorch_cuda,--pop-state");
    }
}
