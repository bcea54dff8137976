//! Runs the program in a directory of its own.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// A project directory.
pub struct Project {
    directory: TempDir,
}

/// The outcome of a command.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Project {
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The program with these arguments, ready to be changed or started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command.current_dir(self.directory.path()).args(arguments).env_remove("PLIMSOLL_RECORD");
        // In the way that CI tells where it is.
        command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Finished {
        Finished::from(self.command(arguments).output().unwrap())
    }
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Finished {
    /// Asserts that it was refused as bad input, that nothing was printed as a result, and that the message says all of
    /// `said`.
    pub fn assert_refused(&self, said: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        self.assert_says(said);
    }

    /// Asserts that stderr has all of `said`.
    pub fn assert_says(&self, said: &[&str]) {
        for said in said {
            assert!(self.stderr.contains(said), "expected `{said}` in:\n{}", self.stderr);
        }
    }
}

/// Makes a program of a script. A process of its own writes it: children of tests beside this one have whatever this
/// process writes, between fork and exec, and what is open for writing cannot be executed.
pub fn write_program(file: &Path, script: &str) {
    let mut writer = Command::new("sh");
    writer.args(["-c", "printf '%s' \"$1\" >\"$0\" && chmod 755 \"$0\""]).arg(file).arg(script);
    assert!(writer.status().unwrap().success());
}

/// Whether anything was recorded.
pub fn has_record(project: &Project) -> bool {
    Path::new(&project.path(".plimsoll/plimsoll.db")).exists()
}
