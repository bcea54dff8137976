//! A target for the tests to launch: this test program itself, which serves HTTP when its environment says so.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    process,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const PORT: &str = "PLIMSOLL_TEST_PORT";
const DIE_AFTER: &str = "PLIMSOLL_TEST_DIE_AFTER";
const STATUS: &str = "PLIMSOLL_TEST_STATUS";

const STUCK_FROM: &str = "PLIMSOLL_TEST_STUCK_FROM";

/// Path that is asked whether it is ready; a busy machine asks more than once.
const READY: &str = "/ready";

/// Keys of a variant that launches the target: `more` are entries of its environment.
pub fn variant(more: &[(&str, &str)]) -> String {
    let program = std::env::current_exe().unwrap();
    let command = format!("[{:?}, \"target::serve_if_asked_to\", \"--exact\", \"--nocapture\"]", program);
    let more: String = more.iter().map(|(name, value)| format!(", {name}: {value:?}")).collect();
    format!(
        "{{command: {command}, env: {{{PORT}: \"{{port}}\"{more}}}, \
         ready: \"http://127.0.0.1:{{port}}{READY}\", url: \"http://127.0.0.1:{{port}}/\"}}"
    )
}

/// The same, but its process ends after so many requests.
pub fn that_dies_after(requests: u64) -> String {
    variant(&[(DIE_AFTER, &requests.to_string())])
}

/// The same, but whoever asks for more than whether it is ready gets this status.
pub fn that_answers(status: u16) -> String {
    variant(&[(STATUS, &status.to_string())])
}

/// A server in this process, for loads; its port.
pub fn start() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || serve(listener, u64::MAX, 200));
    port
}

/// A server in this process that answers so many requests of each tenth of a second, and the others with 429; its port.
pub fn start_limited(per_tenth: u32) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let begun = Instant::now();
    let window = Arc::new(Mutex::new((0, 0)));
    let status = move || {
        let tenth = begun.elapsed().as_millis() / 100;
        let mut window = window.lock().unwrap();
        *window = if window.0 == tenth { (tenth, window.1 + 1) } else { (tenth, 1) };
        if window.1 > per_tenth { 429 } else { 200 }
    };
    thread::spawn(move || {
        for stream in listener.incoming() {
            let status = status.clone();
            thread::spawn(move || answer(stream.unwrap(), |_| status()));
        }
    });
    port
}

/// A server in this process that [gets stuck](that_gets_stuck_from); its port.
pub fn start_stuck_from(waiting: u64) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || serve_until_stuck(listener, waiting));
    port
}

/// A variant that answers one request after another, in 10 ms each, until so many wait: from then on it answers
/// none, whatever comes.
pub fn that_gets_stuck_from(waiting: u64) -> String {
    variant(&[(STUCK_FROM, &waiting.to_string())])
}

fn serve_until_stuck(listener: TcpListener, most: u64) {
    let (turn, waiting) = (Arc::new(Mutex::new(())), Arc::new(AtomicU64::new(0)));
    for stream in listener.incoming() {
        let (turn, waiting) = (turn.clone(), waiting.clone());
        thread::spawn(move || {
            answer(stream.unwrap(), |_| {
                if waiting.fetch_add(1, Ordering::Relaxed) >= most {
                    waiting.store(most, Ordering::Relaxed);
                }
                let _turn = turn.lock().unwrap();
                thread::sleep(Duration::from_millis(10));
                if waiting.load(Ordering::Relaxed) >= most {
                    thread::sleep(Duration::from_secs(3_600));
                }
                waiting.fetch_sub(1, Ordering::Relaxed);
                200
            })
        });
    }
}

/// Not a test of its own: does nothing unless it was launched as a target.
#[test]
fn serve_if_asked_to() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let Some(port) = number(PORT) else { return };
    println!("serving on port {port}");
    let listener = TcpListener::bind(("127.0.0.1", port as u16)).unwrap();
    if let Some(most) = number(STUCK_FROM) {
        return serve_until_stuck(listener, most);
    }
    serve(listener, number(DIE_AFTER).unwrap_or(u64::MAX), number(STATUS).unwrap_or(200));
}

fn serve(listener: TcpListener, die_after: u64, status: u64) {
    let answered = Arc::new(AtomicU64::new(0));
    for stream in listener.incoming() {
        let answered = answered.clone();
        thread::spawn(move || {
            answer(stream.unwrap(), |path| {
                if path == READY {
                    return 200;
                }
                if answered.fetch_add(1, Ordering::Relaxed) >= die_after {
                    eprintln!("out of breath");
                    process::exit(3);
                }
                status
            })
        });
    }
}

/// Answers with the status that each request gets by its path.
fn answer(mut stream: TcpStream, status: impl Fn(&str) -> u64) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    loop {
        let request = lines.next()?.ok()?;
        while !lines.next()?.ok()?.is_empty() {}
        let status = status(request.split(' ').nth(1).unwrap_or_default());
        let head = format!("HTTP/1.1 {status} X\r\nServer-Timing: total;dur=7.5\r\nContent-Length: 2\r\n");
        stream.write_all(format!("{head}\r\nok").as_bytes()).ok()?;
    }
}

/// Head and body of the next request; none when the connection ends.
pub fn read_request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|&read| read > 0)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}
