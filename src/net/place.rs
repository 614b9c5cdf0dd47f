//! A checkpoint's place on the disk while it is being written.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::NetError;
use crate::text::folder_of;

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

/// How the names of workshops end.
const WORKSHOP: &str = ".facedown";

impl Place {
    /// Claims the place at `path`, with the folders above it where they are missing.
    ///
    /// # Errors
    ///
    /// If something else than a checkpoint stands there, another process writes there, or the disk refuses.
    pub fn claim(path: &Path) -> Result<Self, NetError> {
        let path = resolved(path);
        let workshop = workshop_of(&path).ok_or_else(|| NetError::Nameless { path: path.clone() })?;
        if path.symlink_metadata().is_ok() && !super::checkpoint::stands_at(&path) {
            return Err(NetError::Occupied { path });
        }
        let lock = Self::lock(&path, &workshop)?;
        let place = Self { path, workshop, _lock: lock };
        place.put_back()?;
        Ok(place)
    }

    /// Makes the workshop at `path`'s side and locks it.
    fn lock(path: &Path, workshop: &Path) -> Result<File, NetError> {
        let lock_path = workshop.join(LOCK);
        loop {
            fs::create_dir_all(workshop).map_err(NetError::unwritable(workshop))?;
            let lock = match File::create(&lock_path) {
                // Whoever held the place cleared the workshop away at this very moment.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                created => created.map_err(NetError::unwritable(&lock_path))?,
            };
            match lock.try_lock() {
                // The lock of a workshop that has been cleared away in between keeps nobody out.
                Ok(()) if is_file_at(&lock, &lock_path) => return Ok(lock),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(NetError::Busy { path: path.into() }),
                Err(TryLockError::Error(source)) => return Err(NetError::unwritable(&lock_path)(source)),
            }
        }
    }

    /// Where the checkpoint will stand.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets `write` fill an empty folder, brings it to the disk, and gives it the place's name. A checkpoint
    /// that stands there is replaced, but for files in it that `write` has none of: those are somebody's, and
    /// move along. There is a whole checkpoint at every moment.
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
        if let Err(error) = fs::rename(&new, &self.path) {
            self.put_back()?;
            return Err(NetError::unwritable(&self.path)(error));
        }
        sync(folder_of(&self.path))?;
        self.put_back()
    }

    /// Removes the checkpoint that stands there; no part of it is ever seen under its name.
    ///
    /// # Errors
    ///
    /// If the disk refuses; the checkpoint may still stand.
    pub fn vacate(self) -> Result<(), NetError> {
        let new = self.workshop.join(NEW);
        remove(&new)?;
        match fs::rename(&self.path, &new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(NetError::unwritable(&self.path)(error))
            }
            _ => sync(folder_of(&self.path)),
        }
    }

    /// Brings the places in `folder` into order whose writers died, and clears their workshops away.
    ///
    /// # Errors
    ///
    /// If one of them cannot be claimed, or the folder cannot be read.
    pub fn tidy(folder: &Path) -> Result<(), NetError> {
        if !folder.exists() {
            return Ok(());
        }
        for entry in fs::read_dir(folder).map_err(NetError::unreadable(folder))? {
            let name = entry.map_err(NetError::unreadable(folder))?.file_name();
            let name = name.to_string_lossy();
            if let Some(name) = name.strip_prefix('.').and_then(|name| name.strip_suffix(WORKSHOP)) {
                drop(Self::claim(&folder.join(name))?);
            }
        }
        Ok(())
    }

    /// Puts what is set aside back to its place: all of it if nothing stands there, else the files that the
    /// new checkpoint has none of.
    fn put_back(&self) -> Result<(), NetError> {
        let old = self.workshop.join(OLD);
        if !old.exists() {
            return Ok(());
        }
        if !self.path.exists() {
            return fs::rename(&old, &self.path).map_err(NetError::unwritable(&self.path));
        }
        for entry in fs::read_dir(&old).map_err(NetError::unwritable(&old))? {
            let entry = entry.map_err(NetError::unwritable(&old))?;
            let kept = self.path.join(entry.file_name());
            if kept.symlink_metadata().is_err() {
                fs::rename(entry.path(), &kept).map_err(NetError::unwritable(&kept))?;
            }
        }
        remove(&old)
    }
}

impl Drop for Place {
    /// Clears the workshop away; what it could leave behind does no harm, so nobody is told. What is set
    /// aside in it stays there if it cannot be put back.
    fn drop(&mut self) {
        if self.put_back().is_ok() {
            let _ = fs::remove_dir_all(&self.workshop);
        }
    }
}

/// Whether `file` is the one that bears the name `path` now.
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(named)) => identity(held) == identity(named),
        _ => false,
    }
}

/// Where to read the checkpoint called `path`: there, or where a process that died while replacing it had
/// set it aside.
pub(super) fn readable(path: &Path) -> PathBuf {
    let path = tidied(path);
    let aside = workshop_of(&path).map(|workshop| workshop.join(OLD));
    aside.filter(|aside| !path.exists() && aside.exists()).unwrap_or(path)
}

/// Writes the file at `path` anew, whole or not at all.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), NetError> {
    let new = path.with_extension(NEW);
    fs::write(&new, text).map_err(NetError::unwritable(&new))?;
    sync(&new)?;
    fs::rename(&new, path).map_err(NetError::unwritable(path))?;
    sync(folder_of(path))
}

/// The path without what does not change its meaning, such as a slash at its end.
fn tidied(path: &Path) -> PathBuf {
    path.components().collect()
}

/// The path a link leads to, where it is one: what is replaced is what stands there, and not the link.
fn resolved(path: &Path) -> PathBuf {
    let path = tidied(path);
    match path.is_symlink() {
        true => fs::canonicalize(&path).unwrap_or(path),
        false => path,
    }
}

/// `runs/net` has `runs/.net.facedown`; a path that ends in no name has none.
fn workshop_of(path: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(WORKSHOP);
    Some(path.with_file_name(name))
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
