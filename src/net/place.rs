//! A checkpoint's place on the disk while it is being written.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::NetError;

/// The right to write the checkpoint at a path, for as long as this value lives.
///
/// What is being written, and what it replaces, lie in a workshop beside the place: the hidden folder
/// `.NAME.facedown`, which no user makes by chance. Claiming a place makes that folder, so a disk that
/// refuses is found out before there is anything to lose.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    workshop: PathBuf,
    /// Held for its lock, which ends with the process whatever ends that.
    _lock: File,
}

const NEW: &str = "new";
const OLD: &str = "old";
const LOCK: &str = "lock";

impl Place {
    /// Claims the place at `path`, with the folders above it where they are missing.
    ///
    /// # Errors
    ///
    /// If something else than a checkpoint stands there, another process writes there, or the disk refuses.
    pub fn claim(path: &Path) -> Result<Self, NetError> {
        let path = tidied(path);
        let workshop = workshop_of(&path).ok_or_else(|| NetError::Nameless { path: path.clone() })?;
        if path.symlink_metadata().is_ok() && !super::checkpoint::stands_at(&path) {
            return Err(NetError::Occupied { path });
        }
        fs::create_dir_all(&workshop).map_err(NetError::unwritable(&workshop))?;
        let lock_path = workshop.join(LOCK);
        let lock = File::create(&lock_path).map_err(NetError::unwritable(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(NetError::Busy { path }),
            Err(TryLockError::Error(source)) => return Err(NetError::unwritable(&lock_path)(source)),
        }
        let place = Self { path, workshop, _lock: lock };
        place.clear_after_a_crash()?;
        Ok(place)
    }

    /// Where the checkpoint will stand.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets `write` fill an empty folder, brings it to the disk, and gives it the place's name. A checkpoint
    /// that stands there is replaced; there is a whole one at every moment.
    ///
    /// # Errors
    ///
    /// Those of `write`, or if the disk refuses; what stood there still stands.
    pub(super) fn fill(&self, write: impl FnOnce(&Path) -> Result<(), NetError>) -> Result<(), NetError> {
        let (new, old) = (self.workshop.join(NEW), self.workshop.join(OLD));
        remove(&new)?;
        fs::create_dir(&new).map_err(NetError::unwritable(&new))?;
        write(&new)?;
        for entry in fs::read_dir(&new).map_err(NetError::unwritable(&new))? {
            sync(&entry.map_err(NetError::unwritable(&new))?.path())?;
        }
        sync(&new)?;
        if self.path.exists() {
            fs::rename(&self.path, &old).map_err(NetError::unwritable(&old))?;
        }
        fs::rename(&new, &self.path).map_err(NetError::unwritable(&self.path))?;
        sync(folder_of(&self.path))?;
        remove(&old)
    }

    /// Puts a checkpoint that a dead process had set aside back to its place.
    fn clear_after_a_crash(&self) -> Result<(), NetError> {
        let old = self.workshop.join(OLD);
        if !self.path.exists() && old.exists() {
            return fs::rename(&old, &self.path).map_err(NetError::unwritable(&self.path));
        }
        remove(&old)
    }
}

impl Drop for Place {
    /// Clears the workshop away; what it could leave behind does no harm, so nobody is told.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.workshop);
    }
}

/// Where to read the checkpoint called `path`: there, or where a process that died while replacing it had
/// set it aside.
pub(super) fn readable(path: &Path) -> PathBuf {
    let path = tidied(path);
    let aside = workshop_of(&path).map(|workshop| workshop.join(OLD));
    aside.filter(|aside| !path.exists() && aside.exists()).unwrap_or(path)
}

/// The path without what does not change its meaning, such as a slash at its end.
fn tidied(path: &Path) -> PathBuf {
    path.components().collect()
}

/// `runs/net` has `runs/.net.facedown`; a path that ends in no name has none.
fn workshop_of(path: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(".facedown");
    Some(path.with_file_name(name))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn remove(folder: &Path) -> Result<(), NetError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(NetError::unwritable(folder)(error)),
        _ => Ok(()),
    }
}

/// Waits until a file, or the names in a folder, are on the disk.
fn sync(path: &Path) -> Result<(), NetError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(NetError::unwritable(path))
}
