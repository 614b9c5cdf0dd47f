//! How much memory the process takes, and what becomes of memory that it frees.

/// Resident memory in megabytes; none where the system does not tell in Linux's manner.
pub fn resident_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// Freed memory up to this size, in bytes, is kept for what is asked for next: the tensors of a batch are megabytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: libc::c_int = 256 << 20;

/// The largest piece that is kept, in bytes; glibc takes no more.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGEST_KEPT: libc::c_int = 32 << 20;

/// Has glibc keep the memory of tensors that are gone. Otherwise it gives each back to the kernel and gets the next
/// page by page, which takes a seventh of the time in which a network judges.
pub fn keep_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets two numbers, which allocations on any thread heed from then on.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST_KEPT);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}

/// Gives the memory that was kept and is not in use back to the kernel, holes between what is in use included: for
/// the end of a stage, after which others ask for pieces of other sizes, so that the holes of many stages would
/// add up.
pub fn give_back_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: touches free memory only, under the allocator's own locks.
    unsafe {
        libc::malloc_trim(0);
    }
}
