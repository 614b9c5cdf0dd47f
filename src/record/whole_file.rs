//! Files that bear their final name only when they are complete.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::text::folder_of;

/// What the name of a file being written ends with.
const UNFINISHED: &str = "tmp";

/// Writes `bytes` to a file beside `path`, forces it to the disk, then gives it its name.
///
/// A file of that name is replaced, whole; if that fails, nothing is left of the other one. While the other
/// file is being written this process holds its lock, so that a clean-up can tell it from one whose writer
/// died.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (unfinished_path, mut unfinished) = create_locked(path)?;
    let named = fill(&mut unfinished, bytes).and_then(|()| fs::rename(&unfinished_path, path));
    if named.is_err() {
        remove_if_there(&unfinished_path)?;
    }
    named?;
    sync_folder(path)
}

/// Writes `bytes` and forces them to the disk.
fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// Like [`write()`], but only if there is no file of that name, or an empty one; says whether there was none.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    write_new_by(|unfinished, path| fs::hard_link(unfinished, path), path, bytes)
}

/// Gives the file its name by `link`, which, unlike a renaming, never replaces. Where the file system has no
/// links, an empty file claims the name first, which the written one then replaces.
fn write_new_by(
    link: impl FnOnce(&Path, &Path) -> io::Result<()>,
    path: &Path,
    bytes: &[u8],
) -> io::Result<bool> {
    let (unfinished_path, mut unfinished) = create_locked(path)?;
    let taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists && !is_empty(path);
    let named = fill(&mut unfinished, bytes).and_then(|()| match link(&unfinished_path, path) {
        Err(error) if !taken(&error) => match OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if taken(&error) => Err(error),
            // Left by a process that died in between.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => fs::rename(&unfinished_path, path),
        },
        linked => linked,
    });
    remove_if_there(&unfinished_path)?;
    match named {
        Err(error) if taken(&error) => Ok(false),
        named => named.and_then(|()| sync_folder(path)).map(|()| true),
    }
}

/// Whether a file is there with nothing in it: a name that was claimed by a process which died.
pub(super) fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0)
}

/// Removes the files in `folder` that a writer left unfinished and no longer works on. Nobody else's files
/// are touched.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if !(is_ours(&path) && entry.file_type()?.is_file()) {
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

/// Whether the name is one that [`create_locked`] gives: `NAME.parquet.PID-N.tmp`, or with `toml`.
fn is_ours(path: &Path) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let parts: Vec<&str> = name.rsplitn(4, '.').collect();
    let [ending, writer, kind, _] = parts[..] else { return false };
    let numbers = writer.split_once('-');
    ending == UNFINISHED
        && ["parquet", "toml"].contains(&kind)
        && numbers.is_some_and(|(process, file)| is_number(process) && is_number(file))
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
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_links_a_name_is_claimed_once_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.toml");
        let no_links = |_: &Path, _: &Path| Err(io::ErrorKind::Unsupported.into());
        assert!(write_new_by(no_links, &path, b"first").unwrap());
        assert!(!write_new_by(no_links, &path, b"second").unwrap());
        assert!(!write_new(&path, b"third").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        // What a process leaves that dies between claiming and naming.
        fs::write(&path, b"").unwrap();
        assert!(write_new(&path, b"fourth").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"fourth");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
