//! A small HTTP server with bad habits.

use std::{
    env,
    fs::File,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    os::unix::process::CommandExt,
    process::{self, Command, ExitCode},
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Its behaviour besides serving.
#[derive(Clone, Copy, Debug, Default)]
struct Habits {
    /// Exits with status 3 at this request.
    dies_at: Option<u64>,
    /// Exits with status 3 at so many requests that come so many milliseconds or more after the one before.
    dies_at_lulls: Option<(u64, u64)>,
    /// Answers 503.
    never_ready: bool,
    /// Becomes faster until so many seconds after its first request.
    warms_s: u32,
}

static REQUESTS: AtomicU64 = AtomicU64::new(0);
static LULLS: AtomicU64 = AtomicU64::new(0);
/// When it got its last request.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);
/// Its answer, if not "hi".
static SAYS: OnceLock<String> = OnceLock::new();

/// Its access log: the first line of each request.
static LOG: OnceLock<Mutex<File>> = OnceLock::new();

/// `[HOST:]PORT [HABIT…]`: serves, unless a habit says otherwise.
pub fn serve(arguments: &[String]) -> ExitCode {
    let (port, words) = arguments.split_first().expect("a port");
    let (mut habits, mut elsewhere) = (Habits::default(), false);
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            ("print", line) => println!("{line}"),
            ("complain", line) => eprintln!("{line}"),
            ("connect", address) => std::mem::forget(TcpStream::connect(address).expect("it listens")),
            ("delay", ms) => thread::sleep(Duration::from_millis(ms.parse().expect("ms"))),
            ("die-at", requests) => habits.dies_at = Some(requests.parse().expect("a number")),
            ("die-at-lulls", text) => {
                let (count, ms) = text.split_once('x').expect("COUNTxMS");
                habits.dies_at_lulls = Some((count.parse().expect("a number"), ms.parse().expect("ms")));
            }
            ("exit", status) => process::exit(status.parse().expect("a number")),
            ("says", text) => SAYS.set(text.to_owned()).expect("it says one thing"),
            ("elsewhere", _) => elsewhere = true,
            ("log", file) => LOG.set(Mutex::new(File::create(file).expect("a file"))).expect("it has one log"),
            ("warms", seconds) => habits.warms_s = seconds.parse().expect("seconds"),
            ("never-ready", _) => habits.never_ready = true,
            ("ignore-sigterm", _) => ignore_sigterm(words),
            ("eat", mib) => eat(mib.parse().expect("MiB")),
            ("daemonize", times) => daemonize(times.parse().expect("a number")),
            other => panic!("no such habit: {other:?}"),
        }
    }
    let address = if port.contains(':') { port.clone() } else { format!("127.0.0.1:{port}") };
    let address = if elsewhere { "127.0.0.1:0".to_owned() } else { address };
    let listener = TcpListener::bind(address).expect("the port is free");
    for connection in listener.incoming() {
        thread::spawn(move || answer(connection.expect("a connection"), habits));
    }
    ExitCode::SUCCESS
}

fn answer(mut connection: TcpStream, habits: Habits) {
    let mut lines = BufReader::new(connection.try_clone().expect("a descriptor")).lines();
    let mut first = String::new();
    while let Some(Ok(line)) = lines.next() {
        if !line.is_empty() {
            first = if first.is_empty() { line } else { first };
            continue;
        }
        log(&std::mem::take(&mut first));
        let request = REQUESTS.fetch_add(1, Ordering::Relaxed) + 1;
        if habits.dies_at.is_some_and(|at| request >= at) || habits.dies_at_lulls.is_some_and(are_lulls_enough) {
            println!("I cannot go on");
            process::exit(3);
        }
        thread::sleep(Duration::from_millis(1) + cold(habits.warms_s));
        let status = if habits.never_ready { "503 Service Unavailable" } else { "200 OK" };
        let says = SAYS.get().map_or("hi", String::as_str);
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{says}", says.len());
        if connection.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn log(first: &str) {
    if let Some(log) = LOG.get() {
        writeln!(log.lock().expect("nobody panics"), "{first}").expect("it can be written");
    }
}

/// How much longer a request takes than in a warm process.
fn cold(warms_s: u32) -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let left = Duration::from_secs(warms_s.into()).saturating_sub(FIRST.get_or_init(Instant::now).elapsed());
    left / 30
}

fn are_lulls_enough((count, ms): (u64, u64)) -> bool {
    let last = LAST.lock().expect("nobody panics").replace(Instant::now());
    let is_lull = last.is_some_and(|last| last.elapsed() >= Duration::from_millis(ms));
    is_lull && LULLS.fetch_add(1, Ordering::Relaxed) + 1 >= count
}

/// Only a shell can do that without unsafe code: becomes one that ignores the signal, which programs it executes
/// inherit.
fn ignore_sigterm(words: &[String]) {
    let rest: Vec<&String> = words.iter().filter(|word| *word != "ignore-sigterm").collect();
    let exe = env::current_exe().expect("procfs");
    let port = env::args().nth(2).expect("a port");
    let script = "trap '' TERM; \"$@\" & while :; do wait; done";
    let error = Command::new("sh").args(["-c", script, "sh"]).arg(exe).args(["serve", &port]).args(rest).exec();
    panic!("no shell: {error}");
}

/// Starts a process in a session of its own that loses its parent, and so on.
fn daemonize(times: u32) {
    if times == 0 {
        println!("daemonized");
        thread::sleep(Duration::from_secs(3_600));
    }
    let next = format!("daemonize={}", times - 1);
    let exe = env::current_exe().expect("procfs");
    let script = "setsid \"$@\" &";
    let shell = Command::new("sh").args(["-c", script, "sh"]).arg(exe).args(["serve", "0", &next]).status();
    assert!(shell.expect("a shell").success());
    if env::args().nth(2).as_deref() == Some("0") {
        process::exit(0);
    }
}

fn eat(mib: usize) {
    let mut eaten = vec![0_u8; mib << 20];
    // Memory is only had once it is written to.
    eaten.iter_mut().step_by(4_096).for_each(|byte| *byte = 1);
    println!("eaten {}", eaten.len());
    std::mem::forget(eaten);
}
