//! Attributes of MBeans of a JVM on this machine, read by a helper: JMX speaks Java's serialisation, so a small Java
//! program asks for them. The JVM opens its local connector as for `jcmd`; nothing is loaded into it.

mod attribute;

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use plimsoll_observe::connector;

pub use self::attribute::Attribute;
use crate::run::folder::{Folder, Purpose};

/// The program of the helper, of one file: `java` compiles it.
const PROGRAM: &str = include_str!("Attributes.java");
const FILE: &str = "Attributes.java";
/// Flags that keep the helper small: it must take little of the generator's CPU.
const FLAGS: [&str; 4] = ["-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"];
/// Longest wait for an answer. A busy JVM answers late, and the first reading includes the helper's start.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time between two looks at whether to end.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The JVM that is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Processes of the target, of which the first that is a JVM is meant.
    pub pids: Vec<i32>,
    /// The `java` of a JDK that runs the helper, or why there is none.
    pub java: Result<PathBuf, String>,
}

/// A connected helper. It ends when it is dropped, and when this process ends.
#[derive(Debug)]
pub struct Helper {
    process: Child,
    asks: ChildStdin,
    answers: Receiver<String>,
    series: usize,
    _folder: Folder,
}

impl Helper {
    /// Starts it where this thread is: on its CPUs, in its network namespace.
    ///
    /// # Errors
    ///
    /// If the JVM opens no connector, or the helper cannot be started.
    pub fn start(asked: &Asked, attributes: &[Attribute]) -> Result<Self, String> {
        let java = asked.java.as_ref().map_err(Clone::clone)?;
        let address = connector::of_jvm(&asked.pids)?;
        let failed = |why: std::io::Error| format!("the helper that reads JMX, {}: {why}", java.display());
        let folder = Folder::make(Purpose::Jmx).map_err(failed)?;
        let program = folder.path().join(FILE);
        std::fs::write(&program, PROGRAM).map_err(failed)?;
        let mut process = command(java, &program).spawn().map_err(failed)?;
        let (asks, answers) = (process.stdin.take(), process.stdout.take());
        let (Some(mut asks), Some(answers)) = (asks, answers) else { return Err("its pipes are gone".to_owned()) };
        let series: String = attributes.iter().map(|it| format!("{}\n", it.text())).collect();
        asks.write_all(format!("{address}\n{series}\n").as_bytes()).map_err(failed)?;
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(answers).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { process, asks, answers: told, series: attributes.len(), _folder: folder })
    }

    /// The value of each attribute, if the JVM has it. Returns soon after `over` is set.
    ///
    /// # Errors
    ///
    /// Why nothing could be read.
    pub fn read(&mut self, over: &AtomicBool) -> Result<Vec<Option<f64>>, String> {
        self.asks.write_all(b"\n").map_err(|_| self.ended())?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.answers.recv_timeout(LOOK_UP) {
                Ok(line) => return self.values(&line),
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline && !over.load(Ordering::Relaxed) => {}
                Err(RecvTimeoutError::Timeout) => return Err(format!("JMX: no answer within {PATIENCE:?}")),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    fn values(&self, line: &str) -> Result<Vec<Option<f64>>, String> {
        if let Some(why) = line.strip_prefix('!') {
            return Err(format!("JMX: {why}"));
        }
        let values: Vec<Option<f64>> =
            line.split(' ').map(|it| it.parse().ok().filter(|value: &f64| value.is_finite())).collect();
        match values.len() == self.series {
            true => Ok(values),
            false => Err(format!("JMX: expected {} values, found `{line}`", self.series)),
        }
    }

    /// Message that the helper has ended, with the reason in its last line.
    fn ended(&self) -> String {
        let last = self.answers.try_iter().last().unwrap_or_default();
        let why = last.strip_prefix('!').unwrap_or("expected a JDK 17 or newer that compiles a program of one file");
        format!("the helper that reads JMX has ended: {why}")
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(java: &Path, program: &Path) -> Command {
    let mut command = Command::new(java);
    command.args(FLAGS).arg(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // Options of the environment are meant for services, not for the helper.
    command.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS");
    command
}

#[cfg(test)]
mod tests;
