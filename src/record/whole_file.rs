//! Files that bear their final name only when they are complete.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the name of a file being written ends with.
const UNFINISHED: &str = "tmp";

/// Writes `bytes` to a file beside `path`, forces it to the disk, then gives it its name.
///
/// A file of that name is replaced. While the other file is being written this process holds its lock,
/// so that [`remove_leftovers`] can tell it from one whose writer died.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (unfinished_path, mut unfinished) = create_locked(path)?;
    unfinished.write_all(bytes)?;
    unfinished.sync_all()?;
    fs::rename(&unfinished_path, path)?;
    sync_folder(path)
}

/// Removes the files in `folder` that a writer left unfinished and no longer works on.
pub(super) fn remove_leftovers(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension() != Some(OsStr::new(UNFINISHED)) {
            continue;
        }
        // A file that is gone by now has been finished or removed by someone else.
        let Ok(file) = File::open(&path) else { continue };
        if file.try_lock().is_ok() {
            remove_if_there(&path)?;
        }
    }
    Ok(())
}

fn create_locked(path: &Path) -> io::Result<(PathBuf, File)> {
    static CREATED: AtomicU64 = AtomicU64::new(0);
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(
            ".{}-{}.{UNFINISHED}",
            std::process::id(),
            CREATED.fetch_add(1, Ordering::Relaxed)
        ));
        let unfinished_path = PathBuf::from(name);
        let file = match OpenOptions::new().write(true).create_new(true).open(&unfinished_path) {
            // Left by a dead process that had this one's number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        file.lock()?;
        // Someone cleaning up may have removed it before it was locked.
        if unfinished_path.exists() {
            return Ok((unfinished_path, file));
        }
    }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Forces a new name to the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}
