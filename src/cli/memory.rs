//! What becomes of a command when libtorch runs out of memory where it cannot say so by an error.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Failure;

/// What libtorch says of memory, on CPUs and on accelerators.
const SIGNS: [&str; 2] = ["can't allocate memory", "out of memory"];

/// libtorch had no memory left.
#[derive(Debug, thiserror::Error)]
#[error(
    "libtorch ran out of memory ({0}); a smaller net, train.batch, train.validation_rows or selfplay.slots takes less"
)]
struct OutOfMemory(String);

/// What libtorch said when it ran out of memory, on whatever thread.
static SAID: Mutex<Option<String>> = Mutex::new(None);

/// Runs a command. A panic for want of memory, on any of its threads, becomes a failure with one line to say;
/// all others stay what they are.
///
/// # Errors
///
/// Those of the command, or that libtorch ran out of memory.
pub fn watched(run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| match wants_memory(panic.payload()) {
        Some(text) => *said() = Some(text),
        // Whoever waited for the thread that ran out of memory panics next, and has nothing to add.
        None if said().is_some() => {}
        None => usual(panic),
    }));
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let about_memory = said().take();
        match about_memory {
            Some(said) => Err(Failure::failed(OutOfMemory(said))),
            None => panic::resume_unwind(payload),
        }
    })
}

fn said() -> MutexGuard<'static, Option<String>> {
    SAID.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a panic says about memory, if that is what it is about.
fn wants_memory(payload: &(dyn Any + Send)) -> Option<String> {
    let said = payload.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| payload.downcast_ref::<&str>().copied())?;
    SIGNS
        .iter()
        .find_map(|sign| said.find(sign))
        .map(|at| said[at..].lines().next().unwrap_or_default().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn want_of_memory_on_another_thread_is_a_failure_and_other_panics_go_on() {
        let torch = "called `Result::unwrap()` on an `Err` value: Torch(\"[enforce fail at alloc_cpu.cpp:124] \
                     DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.\")";
        let failed = watched(|| {
            let worker = std::thread::spawn(move || std::panic::panic_any(torch.to_owned()));
            worker.join().expect("the worker's panic is what it panics for");
            Ok(())
        });
        let Err(Failure::Failed(error)) = failed else { panic!("a failure: {failed:?}") };
        assert!(error.to_string().contains("tried to allocate 9 bytes"), "{error}");
        let other = panic::catch_unwind(|| watched(|| panic!("something else")));
        assert_eq!(other.expect_err("still a panic").downcast_ref(), Some(&"something else"));
    }
}
