//! One command over the listener's socket: a connection each.

use std::{
    io::{ErrorKind, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rustix::{
    io::Errno,
    net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with},
};

use super::{AttachError, LOOK_EVERY, first_line};

/// Asks and reads the answer, `most` bytes at most, until `deadline`.
pub(super) fn ask(pid: i32, socket: &Path, command: &str, deadline: Instant, most: u64) -> Result<String, AttachError> {
    let begun = Instant::now();
    let silent = || AttachError::Silent { pid, after: begun.elapsed() };
    let mut stream = connected(socket, deadline).ok_or_else(silent)?;
    // Version of the protocol, command, three arguments, each ended by a zero.
    let request = format!("1\0jcmd\0{command}\0\0\0");
    stream
        .set_write_timeout(Some(left(deadline)))
        .and_then(|()| stream.write_all(request.as_bytes()))
        .map_err(|_| silent())?;
    let answer = answer(&mut stream, deadline, most).ok_or_else(silent)?;
    let (code, text) = answer.split_once('\n').unwrap_or((&answer, ""));
    match code.trim() {
        "0" => Ok(text.to_owned()),
        _ => Err(AttachError::Refused { pid, answer: first_line(if text.is_empty() { &answer } else { text }) }),
    }
}

/// Connects without blocking: a stopped JVM accepts nothing, and a connect to its full queue would never return.
fn connected(path: &Path, deadline: Instant) -> Option<UnixStream> {
    let address = SocketAddrUnix::new(path).ok()?;
    loop {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None).ok()?;
        match connect(&socket, &address) {
            Ok(()) => {
                let stream = UnixStream::from(socket);
                stream.set_nonblocking(false).ok()?;
                return Some(stream);
            }
            Err(Errno::AGAIN | Errno::INTR) if Instant::now() < deadline => thread::sleep(LOOK_EVERY),
            Err(_) => return None,
        }
    }
}

/// All until the JVM closes.
fn answer(stream: &mut UnixStream, deadline: Instant, most: u64) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        stream.set_read_timeout(Some(left(deadline))).ok()?;
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => bytes.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
        if bytes.len() as u64 >= most || Instant::now() >= deadline {
            return None;
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Time that is left; never zero, which would mean for ever.
fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    fn asked(
        serve: impl FnOnce(UnixStream) + Send + 'static,
        patience: Duration,
        most: u64,
    ) -> Result<String, AttachError> {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("socket");
        let listener = UnixListener::bind(&path).expect("bound");
        let server = thread::spawn(move || serve(listener.accept().expect("a connection").0));
        let answer = ask(7, &path, "Thread.print -l", Instant::now() + patience, most);
        server.join().expect("served");
        answer
    }

    fn told(answer: &'static str) -> impl FnOnce(UnixStream) + Send + 'static {
        move |mut stream| {
            let expected = b"1\0jcmd\0Thread.print -l\0\0\0";
            let mut request = vec![0; expected.len()];
            stream.read_exact(&mut request).expect("a request");
            assert_eq!(request, expected);
            stream.write_all(answer.as_bytes()).expect("answered");
        }
    }

    #[test]
    fn an_answer_is_what_follows_its_code() {
        let minute = Duration::from_secs(60);
        assert_eq!(asked(told("0\nFull thread dump\nrest"), minute, 1_000), Ok("Full thread dump\nrest".to_owned()));
        let refused = AttachError::Refused { pid: 7, answer: "Unknown command".to_owned() };
        assert_eq!(asked(told("1\nUnknown command\nmore"), minute, 1_000), Err(refused));
    }

    #[test]
    fn neither_silence_nor_an_endless_answer_is_waited_for() {
        let silent = |mut stream: UnixStream| drop(stream.read_to_end(&mut Vec::new()));
        assert!(matches!(asked(silent, Duration::from_millis(50), 1_000), Err(AttachError::Silent { .. })));
        let endless = |mut stream: UnixStream| while stream.write_all(&[b'x'; 1_000]).is_ok() {};
        assert!(matches!(asked(endless, Duration::from_secs(60), 100_000), Err(AttachError::Silent { .. })));
        let nobody = ask(7, Path::new("/nowhere/socket"), "x", Instant::now() + Duration::from_secs(60), 10);
        assert!(matches!(nobody, Err(AttachError::Silent { .. })));
    }
}
