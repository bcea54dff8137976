//! Acts as many parts at once, towards `plimsoll collect` on this machine: each joins, replays the seconds of a record
//! at their pace, and hands over that record as its own. Prints how long each second took to be told, and the rest.
//!
//! ```text
//! crowd ADDRESS PARTS RECORD
//! ```

#[path = "../../../tests/cli/collect/voice.rs"]
mod voice;

use std::{
    env, fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use plimsoll_gather::{Answer, Bytes, CHUNK_BYTES, Ended, Join, Message, PROTOCOL, Second, hexadecimal};
use plimsoll_record::{ExecutionData, ExecutionStatus, Part, Plan, Store};
use sha2::{Digest, Sha256};

use self::voice::Voice;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [address, parts, record] = &arguments[..] else { panic!("expected ADDRESS PARTS RECORD") };
    let parts: u32 = parts.parse().unwrap();
    let record = Path::new(record);
    let store = Store::open_existing(record).unwrap();
    let id = store.last().unwrap().unwrap();
    let data = store.read(id).unwrap();
    drop(store);
    let mut voice = Voice::connect(address);

    let began = Instant::now();
    let seed = join(&mut voice, parts, &data);
    println!("joined_s {:.2}", began.elapsed().as_secs_f64());
    let Answer::Starts { within_ns } = voice.say(1, Message::Wait) else { panic!("all have joined") };
    thread::sleep(Duration::from_nanos(within_ns.max(0).unsigned_abs()));

    let slowest = tell(&mut voice, parts, &data);
    println!("slowest_second_s {:.3}", slowest.as_secs_f64());
    let began = Instant::now();
    let bytes = hand_over(&mut voice, parts, &data, seed, record);
    println!("handed_over_s {:.2}", began.elapsed().as_secs_f64());
    println!("record_bytes {bytes}");
}

/// The seed of all parts.
fn join(voice: &mut Voice, parts: u32, data: &ExecutionData) -> u64 {
    let plan = Plan { segment: None, ..data.execution.plan.clone() };
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let mut given = 0;
    for part in 1..=parts {
        let join = Join {
            protocol: PROTOCOL,
            version: version.clone(),
            plan: plan.clone(),
            part: Some(part),
            ..Join::default()
        };
        match voice.say(part, Message::Join(Box::new(join))) {
            Answer::Joined { seed, .. } => given = seed,
            other => panic!("{other:?}"),
        }
    }
    given
}

/// One second a second; how long the slowest took to be told of all parts.
fn tell(voice: &mut Voice, parts: u32, data: &ExecutionData) -> Duration {
    let start = Instant::now();
    let mut slowest = Duration::ZERO;
    let intervals = &data.runs[0].levels[0].intervals;
    let last = intervals.iter().map(|it| it.start.0 / 1_000_000_000).max().unwrap_or_default();
    for second in 0..=last {
        thread::sleep(Duration::from_secs(second + 1).saturating_sub(start.elapsed()));
        let began = Instant::now();
        let of_it = intervals.iter().filter(|it| it.start.0 / 1_000_000_000 == second).cloned().collect();
        let second = Second { scenario: 0, second, intervals: of_it };
        for part in 1..=parts {
            let message = Message::Seconds { number: second.second, seconds: vec![second.clone()] };
            assert!(matches!(voice.say(part, message), Answer::GoOn { .. }));
        }
        slowest = slowest.max(began.elapsed());
    }
    slowest
}

/// Bytes of each record.
fn hand_over(voice: &mut Voice, parts: u32, data: &ExecutionData, seed: u64, record: &Path) -> usize {
    let copy = record.with_extension("copy");
    let id = data.execution.id;
    let _ = fs::remove_file(&copy);
    Store::open_existing(record).unwrap().extract(id, &copy).unwrap();
    let mut length = 0;
    for part in 1..=parts {
        let segment = Some(Part { number: part, count: parts });
        let plan = Plan { segment, seed, ..data.execution.plan.clone() };
        let mut store = Store::open_existing(&copy).unwrap();
        store.update_plan(id, &plan).unwrap();
        drop(store);
        let bytes = fs::read(&copy).unwrap();
        length = bytes.len();
        let sha256 = hexadecimal(&Sha256::digest(&bytes));
        let ended = Ended { status: ExecutionStatus::Done, bytes: length as u64, sha256 };
        let mut answer = voice.say(part, Message::End(ended));
        while let Answer::Send { offset } = answer {
            let from = offset as usize;
            let data = Bytes(bytes[from..bytes.len().min(from + CHUNK_BYTES)].to_vec());
            answer = voice.say(part, Message::Chunk { offset, data });
        }
        assert_eq!(answer, Answer::Done);
    }
    let _ = fs::remove_file(&copy);
    length
}
