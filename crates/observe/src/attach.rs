//! Commands to a HotSpot JVM, as jcmd gives them: over the Unix socket of its attach listener. Nothing is loaded into
//! the process, and nothing remains in it but its listener, which the JVM starts when it is first asked.
//!
//! How it goes is in the JDK's sources: `src/hotspot/os/posix/attachListener_posix.cpp` and
//! `src/jdk.attach/linux/classes/sun/tools/attach/VirtualMachineImpl.java`.

mod error;
mod request;

use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, geteuid, kill_process};

pub use self::error::AttachError;
use crate::{
    jvm,
    parse::{hsperf, process},
    read,
};

/// How long a JVM is given to start its listener, which it does at a safepoint, and for each answer.
const PATIENCE: Duration = Duration::from_secs(15);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// A counter whose text has a digit for each of the JVM's capabilities, first that of being asked.
const CAPABILITIES: &str = "sun.rt.jvmCapabilities";
/// Bytes of an answer, or of a file that a command writes.
const ANSWER_MOST: u64 = 256 << 20;

/// A JVM that answers commands.
#[derive(Debug)]
pub struct Jvm {
    pid: i32,
    /// Its number in its own namespace.
    inner: i32,
    socket: PathBuf,
}

impl Jvm {
    /// Finds the listener of `pid`; has the JVM start it, if it has none yet.
    ///
    /// # Errors
    ///
    /// Why it cannot be asked, and what is needed.
    pub fn attach(pid: i32) -> Result<Self, AttachError> {
        let status = read::text(format!("/proc/{pid}/status")).ok_or(AttachError::Gone { pid })?;
        let inner = process::innermost_pid(&status).unwrap_or(pid);
        check_owner(pid, &status)?;
        check_kind(pid)?;
        let jvm = Self { pid, inner, socket: in_root(pid, &format!("tmp/.java_pid{inner}")) };
        if !jvm.socket.exists() {
            jvm.start_listener(&status)?;
        }
        Ok(jvm)
    }

    /// The process.
    pub const fn pid(&self) -> i32 {
        self.pid
    }

    /// The answer to a command, e.g. `Thread.print -l`.
    ///
    /// # Errors
    ///
    /// If the JVM does not answer in time, or refuses.
    pub fn command(&self, command: &str) -> Result<String, AttachError> {
        check_runs(self.pid)?;
        let answer = request::ask(self.pid, &self.socket, command, Instant::now() + PATIENCE, ANSWER_MOST);
        // One that has ended meanwhile answers nothing either.
        answer.map_err(|why| check_runs(self.pid).err().unwrap_or(why))
    }

    /// The output of a command that writes it into a file, whose path is appended to the command. The file is removed.
    ///
    /// # Errors
    ///
    /// As [`Jvm::command`]; or if the file cannot be read.
    pub fn command_to_file(&self, command: &str) -> Result<Vec<u8>, AttachError> {
        // The JVM writes it with its own rights, in its own view of the files.
        let name = format!("tmp/.plimsoll-{}-{}", std::process::id(), self.inner);
        let file = Written(in_root(self.pid, &name));
        let answer = self.command(&format!("{command} /{name}"))?;
        let bytes = read::bytes_of_target(&file.0, ANSWER_MOST);
        bytes.ok_or_else(|| AttachError::Refused { pid: self.pid, answer: first_line(&answer) })
    }

    fn start_listener(&self, status: &str) -> Result<(), AttachError> {
        check_runs(self.pid)?;
        // The signal would have it write its threads into its log.
        if is_attach_disabled(self.pid) {
            return Err(AttachError::Disabled { pid: self.pid });
        }
        // A signal that is not caught ends the process; `-Xrs` has the JVM not catch it.
        if !process::catches(status, QUIT) {
            return Err(AttachError::Deaf { pid: self.pid });
        }
        let pid = Pid::from_raw(self.pid).ok_or(AttachError::Gone { pid: self.pid })?;
        let _trigger = self.trigger()?;
        kill_process(pid, Signal::QUIT).map_err(|_| AttachError::Gone { pid: self.pid })?;
        let deadline = Instant::now() + PATIENCE;
        while !self.socket.exists() {
            check_runs(self.pid)?;
            if Instant::now() >= deadline {
                return Err(AttachError::Silent { pid: self.pid, after: PATIENCE });
            }
            thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// Makes the file by which the JVM knows that SIGQUIT asks for the listener, and not for a thread dump.
    fn trigger(&self) -> Result<Written, AttachError> {
        let name = format!(".attach_pid{}", self.inner);
        let folders = [PathBuf::from(format!("/proc/{}/cwd", self.pid)), in_root(self.pid, "tmp")];
        let made = folders.iter().map(|folder| folder.join(&name)).find(|path| {
            // Links that somebody has put there are not followed.
            OpenOptions::new().write(true).create_new(true).open(path).is_ok()
        });
        made.map(Written).ok_or(AttachError::NoTrigger { pid: self.pid })
    }
}

/// SIGQUIT.
const QUIT: u32 = 3;

/// A file that is taken away when it is no longer needed.
struct Written(PathBuf);

impl Drop for Written {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn in_root(pid: i32, path: &str) -> PathBuf {
    Path::new("/proc").join(pid.to_string()).join("root").join(path)
}

/// Checks the user: a JVM takes commands from its own user and from root only.
fn check_owner(pid: i32, status: &str) -> Result<(), AttachError> {
    let (own, owner) = (geteuid().as_raw(), process::effective_user(status).unwrap_or(0));
    if own == 0 || own == owner { Ok(()) } else { Err(AttachError::OtherUser { pid, owner, own }) }
}

/// Checks that it is a HotSpot JVM: other programs would die of the signal.
fn check_kind(pid: i32) -> Result<(), AttachError> {
    let maps = read::text(format!("/proc/{pid}/maps")).filter(|maps| !maps.is_empty());
    let maps = maps.ok_or(AttachError::Hidden { pid })?;
    match process::runtime(&maps) {
        process::Runtime::HotSpot => Ok(()),
        other => Err(AttachError::NotHotSpot { pid, is_open_j9: other == process::Runtime::OpenJ9 }),
    }
}

/// Whether the JVM says of itself that it listens to nobody, by `-XX:+DisableAttachMechanism`.
fn is_attach_disabled(pid: i32) -> bool {
    let counters = jvm::file_of(pid).and_then(|path| read::bytes_of_target(&path, jvm::FILE_BYTES_MAX));
    let says_so = |bytes: Vec<u8>| hsperf::text(&bytes, CAPABILITIES).is_some_and(|text| text.starts_with('0'));
    counters.is_some_and(says_so)
}

fn check_runs(pid: i32) -> Result<(), AttachError> {
    match read::stat(pid).map(|stat| stat.state) {
        Some('T' | 't') => Err(AttachError::Stopped { pid }),
        None | Some('Z' | 'X') => Err(AttachError::Gone { pid }),
        Some(_) => Ok(()),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        os::unix::net::UnixListener,
        process::{Command, Stdio},
        sync::mpsc,
    };

    use super::*;

    /// A JVM, played by this process, that leaves a pipe in place of the file that it should write.
    #[test]
    fn a_pipe_in_place_of_a_file_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a directory");
        let pid = i32::try_from(std::process::id()).expect("a pid fits");
        let jvm = Jvm { pid, inner: i32::MAX, socket: folder.path().join("socket") };
        let listener = UnixListener::bind(&jvm.socket).expect("bound");
        let (tell, told) = mpsc::channel();
        let asking = thread::spawn(move || tell.send(jvm.command_to_file("Thread.dump_to_file")));
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut request = [0; 1_024];
        let length = stream.read(&mut request).expect("a request");
        let request = String::from_utf8_lossy(&request[..length]).into_owned();
        let file = request.split(['\0', ' ']).find(|word| word.starts_with('/')).expect("a file");
        assert!(Command::new("mkfifo").arg(file).status().expect("mkfifo").success());
        stream.write_all(b"0\nwritten").expect("answered");
        drop(stream);
        let answer = told.recv_timeout(Duration::from_secs(60));
        // A thread that still waits for it stays behind.
        let _ = fs::remove_file(file);
        assert_eq!(answer, Ok(Err(AttachError::Refused { pid, answer: "written".to_owned() })));
        asking.join().expect("no panic").expect("it was heard");
    }

    #[test]
    fn a_process_that_is_no_jvm_gets_no_signal() {
        let mut sleep = Command::new("sleep").arg("60").stdout(Stdio::null()).spawn().expect("sleep");
        let pid = i32::try_from(sleep.id()).expect("a pid fits");
        let refused = Jvm::attach(pid).expect_err("no JVM");
        assert!(refused.to_string().contains("HotSpot"), "{refused}");
        assert_eq!(sleep.try_wait().expect("asked"), None, "it lives");
        sleep.kill().expect("ended");
        sleep.wait().expect("waited for");
        assert!(matches!(Jvm::attach(i32::MAX), Err(AttachError::Gone { .. })));
    }

    #[test]
    fn a_stopped_process_is_not_waited_for() {
        let mut sleep = Command::new("sleep").arg("60").spawn().expect("sleep");
        let pid = i32::try_from(sleep.id()).expect("a pid fits");
        kill_process(Pid::from_raw(pid).expect("not zero"), Signal::STOP).expect("stopped");
        let deadline = Instant::now() + Duration::from_secs(60);
        while check_runs(pid).is_ok() && Instant::now() < deadline {
            thread::sleep(LOOK_EVERY);
        }
        assert!(matches!(check_runs(pid), Err(AttachError::Stopped { .. })));
        sleep.kill().expect("ended");
        sleep.wait().expect("waited for");
    }
}
