//! Benchmarks in the place of a load: one process of JMH, until it ends by itself, and the result that it leaves.

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use plimsoll_record::{RunStatus, Score};

use super::{
    LabError,
    folder::{Folder, Purpose},
    pump::Cause,
    session::{RunEnd, Session},
};
use crate::{jmh, launch::Exit};

/// How often the thread that waits looks whether it is to end.
const PAUSE: Duration = Duration::from_millis(20);
/// A result that is longer is none of JMH's.
const RESULT_BYTES_MAX: u64 = 64 << 20;

/// Where JMH leaves its result: a file in a folder of its own. Removed when dropped.
#[derive(Debug)]
pub struct ResultFile {
    path: PathBuf,
    _folder: Folder,
}

impl ResultFile {
    /// The place for one.
    pub fn new() -> Result<Self, LabError> {
        let folder = Folder::make(Purpose::Benchmarks).map_err(LabError::ResultFile)?;
        Ok(Self { path: folder.path().join("result.jmh.json"), _folder: folder })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A message explaining why there are none.
    fn scores(&self) -> Result<Vec<Score>, String> {
        let shown = self.path.display();
        let length = match fs::metadata(&self.path) {
            Ok(found) if found.len() == 0 => return Err("it left no result".to_owned()),
            Ok(found) => found.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err("it left no result".to_owned()),
            Err(error) => return Err(format!("its result cannot be read from {shown}: {error}")),
        };
        if length > RESULT_BYTES_MAX {
            return Err(format!("its result has {} bytes, and 64 MiB are read at most", plimsoll_text::count(length)));
        }
        let text = fs::read_to_string(&self.path);
        let scores = jmh::scores(&text.map_err(|error| format!("its result cannot be read from {shown}: {error}"))?)?;
        match scores.is_empty() {
            true => Err("it measured nothing: no benchmark matches, or all were left out".to_owned()),
            false => Ok(scores),
        }
    }
}

impl Session<'_, '_> {
    /// Waits until JMH, which was given `arguments`, has ended, and takes its scores.
    pub fn benchmarks(&mut self, arguments: &[String], result: &ResultFile) -> Result<RunEnd, LabError> {
        self.tells_output = true;
        let wait = |abort: &Arc<AtomicBool>, _: &mut dyn FnMut(())| {
            while !abort.load(Ordering::Relaxed) {
                thread::sleep(PAUSE);
            }
        };
        let placement = self.execution.placement.thread_in(None);
        let ((), cause) = self.pump(&placement, wait, &mut |_, ()| Ok(ControlFlow::Continue(())))?;
        let when = "while its benchmarks ran";
        match cause {
            Cause::Stopped => Ok(RunEnd::plain(RunStatus::Interrupted)),
            Cause::NetworkEnded => Ok(RunEnd::network_ended(when)),
            Cause::UpstreamEnded => Ok(self.upstream_exited(when)),
            Cause::DependencyEnded => Ok(self.dependency_exited(when)),
            Cause::TargetEnded | Cause::Over => match self.target.poll_ended().and_then(|ended| ended.exit) {
                Some(Exit::Status(0)) => self.take_scores(arguments, result),
                Some(status @ Exit::Status(_)) => {
                    let detail = format!("JMH {status}: its last lines say why");
                    Ok(RunEnd::because(RunStatus::BenchmarksFailed, detail))
                }
                _ => Ok(self.exited(RunStatus::Died, when)),
            },
        }
    }

    fn take_scores(&mut self, arguments: &[String], result: &ResultFile) -> Result<RunEnd, LabError> {
        match result.scores() {
            Ok(scores) => {
                let scores = jmh::as_written(scores, arguments);
                self.execution.store.add_scores(self.run.id, &scores)?;
                Ok(RunEnd::plain(RunStatus::Done))
            }
            Err(problem) => Ok(RunEnd::because(RunStatus::BenchmarksFailed, format!("JMH ended well, but {problem}"))),
        }
    }
}
