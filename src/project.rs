//! Where things are: the record of the directory that the user works in, and Plimsoll's own files.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use plimsoll_lab::{
    artifact::Artifacts,
    git,
    jdk::{Jdks, Places, Toolchain},
};
use plimsoll_record::{Environment, ExecutionData, Store, StoreError, store};

use crate::{arguments, cli::RecordArgs, failure::Failure};

/// Most bytes of a report's name, between its number and its extension.
const NAME_BYTES_MAX: usize = 100;

/// Plimsoll's own directory (Java subjects, bundled experiments): set by the wrapper script, else that of the sources.
pub fn home() -> PathBuf {
    std::env::var_os("PLIMSOLL_HOME").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Jars of the bundled subjects that need not be built: those of a published archive, else those that the wrapper
/// script builds while Rust compiles.
fn prebuilt_subjects() -> PathBuf {
    let published = home().join("subjects");
    if published.is_dir() { published } else { home().join("target/subjects") }
}

/// Where programs under test are kept once they are made: in Plimsoll's own directory, unless `PLIMSOLL_CACHE` names
/// another, e.g. where that is read-only.
fn artifact_cache() -> PathBuf {
    std::env::var_os("PLIMSOLL_CACHE").map_or_else(|| home().join("target/artifacts"), PathBuf::from)
}

/// Programs under test, made with what is on this machine.
pub fn artifacts() -> Artifacts {
    let places = Places::from_environment();
    let artifacts = Artifacts::new(home().join("java"), artifact_cache(), Toolchain::find(&places));
    artifacts.with_prebuilt(prebuilt_subjects()).with_jdks(Jdks::find(&places))
}

/// This program as it runs: a new build may have taken the place of its file since.
pub fn own_program() -> PathBuf {
    PathBuf::from(format!("/proc/{}/exe", std::process::id()))
}

impl RecordArgs {
    /// The record's file.
    pub fn path(&self) -> &Path {
        self.record.as_deref().unwrap_or(Path::new(store::DEFAULT_PATH))
    }

    /// Opens the record, which is made if there is none.
    pub fn open(&self) -> Result<Store, StoreError> {
        Store::open(self.path())
    }

    /// Reads one execution, by any of its names.
    pub fn read(&self, which: &str) -> Result<ExecutionData, Failure> {
        let id = self.resolve(which)?;
        Ok(Store::open_existing(self.path())?.read(id)?)
    }

    /// Where the HTML report of an execution goes.
    pub fn report_path(&self, id: i64, name: &str) -> PathBuf {
        let directory = self.path().parent().unwrap_or(Path::new(""));
        let safe: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        // File systems take 255 bytes; the number in front tells it from others.
        let safe = &safe[..safe.floor_char_boundary(NAME_BYTES_MAX)];
        directory.join("reports").join(format!("{id}-{safe}.html"))
    }
}

/// Facts of the environment that are known before anything runs. The directory of an experiment's file says which
/// commit it is of; without one it is the current directory.
pub fn environment_of_file(file: Option<&Path>) -> Environment {
    let parent = file.and_then(Path::parent).filter(|parent| !parent.as_os_str().is_empty());
    environment_of(parent.unwrap_or(Path::new(".")))
}

fn environment_of(directory: &Path) -> Environment {
    let mut environment = Environment {
        plimsoll: env!("CARGO_PKG_VERSION").to_owned(),
        command: arguments::command_line(),
        git_commit: git::commit_of_files(directory),
        ..Environment::default()
    };
    plimsoll_observe::environment::describe(&mut environment);
    environment
}

/// This host's name, as others know it: of a pod, the pod's.
pub fn host() -> Option<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    (!name.is_empty()).then_some(name)
}

/// Now, as the record has it.
pub fn now() -> String {
    Timestamp::now().to_string()
}
