//! A network, seen from the lab.

use std::{
    io::{self, BufReader},
    net::SocketAddr,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    counts::Counts,
    protocol::{Config, Opened, Report, receive, send},
};

/// How long the process may take: it makes two namespaces, which takes milliseconds.
const OPEN_PATIENCE: Duration = Duration::from_secs(30);
const END_PATIENCE: Duration = Duration::from_secs(5);

/// A network that is there. Dropped, it is gone.
#[derive(Debug)]
pub struct Network {
    process: Child,
    /// Closed, it tells the process to end.
    control: Option<ChildStdin>,
    opened: Opened,
    heard: Arc<Heard>,
}

/// Counts that the process told last.
#[derive(Debug, Default)]
struct Heard {
    counts: Mutex<Counts>,
    has_ended: AtomicBool,
}

impl Heard {
    fn counts(&self) -> Counts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Network {
    /// Makes one by the program `exe`, which calls [`crate::helper_main`] when `argument` is its first one.
    ///
    /// # Errors
    ///
    /// A message explaining why that process does not start or cannot make a network. Where namespaces cannot be made,
    /// [`Opened::Relay`] says why, and that is no error.
    pub fn start(exe: &Path, argument: &str, config: &Config) -> Result<Self, String> {
        let (mut process, control, reports) = spawn(exe, argument, config)
            .map_err(|error| format!("the network's process {} could not be started: {error}", exe.display()))?;
        let heard = Arc::new(Heard::default());
        let problem = match listen(reports, Arc::clone(&heard)).recv_timeout(OPEN_PATIENCE) {
            Ok(Ok(opened)) => return Ok(Self { process, control: Some(control), opened, heard }),
            Ok(Err(problem)) => problem,
            Err(_) => "its process did not make it".to_owned(),
        };
        drop(control);
        end(&mut process);
        Err(format!("no network could be made: {problem}"))
    }

    /// The network that was made.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Tells a relay where to lead: once, before anything is sent over it.
    ///
    /// # Errors
    ///
    /// If its process is gone.
    pub fn lead_to(&mut self, to: SocketAddr) -> io::Result<()> {
        self.control.as_mut().map_or(Ok(()), |control| send(control, &to))
    }

    /// Counts, about a tenth of a second old.
    pub fn counts(&self) -> Counts {
        self.heard.counts()
    }

    /// Reader of the same counts for another thread.
    pub fn counter(&self) -> impl Fn() -> Counts + Send + 'static {
        let heard = Arc::clone(&self.heard);
        move || heard.counts()
    }

    /// Whether it is gone, though nobody wanted it to be.
    pub fn has_ended(&self) -> bool {
        self.heard.has_ended.load(Ordering::Relaxed)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        drop(self.control.take());
        end(&mut self.process);
    }
}

fn spawn(exe: &Path, argument: &str, config: &Config) -> io::Result<(Child, ChildStdin, ChildStdout)> {
    let mut process = Command::new(exe)
        .arg(argument)
        // A group of its own: the terminal's Ctrl-C is for the lab, which then ends things in order.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut control = process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let reports = process.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    // If it is gone already, the end of its reports tells.
    let _ = send(&mut control, config);
    Ok((process, control, reports))
}

/// Listens on a thread of its own; what comes first is sent on.
fn listen(reports: ChildStdout, heard: Arc<Heard>) -> Receiver<Result<Opened, String>> {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut reports = BufReader::new(reports);
        while let Ok(Some(report)) = receive(&mut reports) {
            match report {
                Report::Opened(opened) => drop(tell.send(Ok(opened))),
                Report::Failed(problem) => drop(tell.send(Err(problem))),
                Report::Counts(counts) => *heard.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts,
            }
        }
        heard.has_ended.store(true, Ordering::Relaxed);
    });
    told
}

fn end(process: &mut Child) {
    let deadline = Instant::now() + END_PATIENCE;
    while matches!(process.try_wait(), Ok(None)) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
    let _ = process.kill();
    let _ = process.wait();
}
