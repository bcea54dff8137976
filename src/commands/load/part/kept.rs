//! The record of a part: where it is told to be, or in a temporary place until the collector has it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use plimsoll_record::{Part, Store, StoreError};

use crate::cli::RecordArgs;

pub struct Kept {
    record: RecordArgs,
    path: PathBuf,
    is_temporary: bool,
}

impl Kept {
    pub fn choose(given: Option<&Path>, part: Part) -> Self {
        let drawn = || {
            let name = format!("plimsoll-part-{}-of-{}-{:08x}.db", part.number, part.count, rand::random::<u32>());
            std::env::temp_dir().join(name)
        };
        let path = given.map_or_else(drawn, Path::to_owned);
        Self { record: RecordArgs { record: Some(path.clone()) }, path, is_temporary: given.is_none() }
    }

    pub fn record(&self) -> &RecordArgs {
        &self.record
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The execution as a file of its own, beside the record, until it is dropped.
    pub fn extract(&self, execution: i64) -> Result<Extract, StoreError> {
        let mut path = self.path.clone().into_os_string();
        path.push(format!("-{execution}-{:08x}.part", rand::random::<u32>()));
        let extract = Extract(path.into());
        Store::open_existing(&self.path)?.extract(execution, &extract.0)?;
        Ok(extract)
    }

    /// Removes what only was to be handed over.
    pub fn discard(&self) {
        if self.is_temporary {
            for end in ["", "-wal", "-shm"] {
                let mut path = self.path.clone().into_os_string();
                path.push(end);
                drop(fs::remove_file(path));
            }
        }
    }
}

/// A file for a while.
pub struct Extract(pub PathBuf);

impl Drop for Extract {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}
