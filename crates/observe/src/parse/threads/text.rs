//! `Thread.print -l`.

use plimsoll_record::ThreadState;

use super::{Dump, Object, THREADS_MOST, Thread, bounded, push_frame, without_module};

/// Reads the text of a dump.
pub fn threads(text: &str) -> Dump {
    let mut dump = Dump::default();
    let mut now: Option<Reading> = None;
    for line in text.lines() {
        if let Some((name, number)) = header(line) {
            keep(now.take(), &mut dump);
            now = Some(Reading::of(name));
            dump.numbers.extend(number);
        } else if ["\"", "JNI global ref", "Found "].iter().any(|it| line.starts_with(it)) {
            // A name with a line break has no header. After the others threads of a deadlock are repeated.
            keep(now.take(), &mut dump);
        } else if let Some(reading) = &mut now {
            reading.line(line.trim_start());
        }
    }
    keep(now, &mut dump);
    dump
}

fn keep(reading: Option<Reading>, dump: &mut Dump) {
    let Some(Reading { mut thread, enters, carries, .. }) = reading else { return };
    // Before JDK 23 the frames of a virtual thread are not told here, but those of the JDK's that carry it.
    if carries && !thread.is_carrying {
        thread.is_carrying = true;
        thread.frames.clear();
    }
    // Threads of the JVM itself have no state in Java, or no frames.
    if thread.frames.is_empty() && !thread.is_carrying {
        return;
    }
    // The JVM says that a carrier runs, even while its virtual thread waits and is pinned to it.
    if thread.is_carrying && thread.state == ThreadState::Runnable {
        if enters {
            thread.state = ThreadState::Blocked;
        } else if thread.frames.first().is_some_and(|frame| stands(frame)) {
            thread.state = ThreadState::Waiting;
        }
    }
    match dump.threads.len() < THREADS_MOST {
        true => dump.threads.push(thread),
        false => dump.left_out += 1,
    }
}

/// Whether a thread with this innermost frame waits.
pub(super) fn stands(frame: &str) -> bool {
    ["jdk.internal.misc.Unsafe.park(", "java.lang.Object.wait", "java.lang.Thread.sleep"]
        .iter()
        .any(|it| frame.starts_with(it))
}

/// `"http-nio-8080-exec-1" #31 [6893] daemon prio=5 …`: names may hold quotes. A thread of the JVM has no number.
fn header(line: &str) -> Option<(&str, Option<u64>)> {
    let rest = line.strip_prefix('"')?;
    let (end, number) = match rest.rfind("\" #") {
        Some(end) => (end, rest[end + 3..].split(' ').next().and_then(|number| number.parse().ok())),
        None => (rest.rfind("\" os_prio=")?, None),
    };
    Some((rest.get(..end)?, number))
}

/// A thread whose lines are being read.
struct Reading {
    thread: Thread,
    /// The monitor that it has left to wait on it: it is listed as locked, too.
    left: Option<u64>,
    /// Whether it has left the next one that is listed: compiled code tells no monitor where it waits.
    has_left_next: bool,
    /// Whether it waits to enter a monitor: of a carrier no state tells it.
    enters: bool,
    /// Whether it carries a virtual thread.
    carries: bool,
    is_in_synchronizers: bool,
}

impl Reading {
    fn of(name: &str) -> Self {
        let thread = Thread { name: bounded(name), ..Thread::default() };
        Self { thread, left: None, has_left_next: false, enters: false, carries: false, is_in_synchronizers: false }
    }

    fn line(&mut self, line: &str) {
        if let Some(frame) = line.strip_prefix("at ") {
            push_frame(&mut self.thread.frames, without_module(frame));
        } else if let Some(state) = line.strip_prefix("java.lang.Thread.State: ") {
            self.thread.state = state_of(state);
        } else if line.starts_with("Carrying virtual thread") {
            self.carries = true;
        } else if line.starts_with("Mounted virtual thread") {
            self.thread.is_carrying = true;
            // Frames of the virtual thread say more than those that carry it.
            self.thread.frames.clear();
        } else if line.starts_with("Locked ownable synchronizers") {
            self.is_in_synchronizers = true;
        } else if let Some(fact) = line.strip_prefix("- ") {
            self.fact(fact);
        }
    }

    fn fact(&mut self, fact: &str) {
        self.has_left_next |= fact.starts_with("waiting on <no object");
        let Some(object) = object(fact) else { return };
        if self.is_in_synchronizers {
            self.thread.holds.push(object.id);
        } else if fact.starts_with("waiting on") || fact.starts_with("waiting to re-lock") {
            self.left = Some(object.id);
            self.thread.awaits = Some(object);
        } else if fact.starts_with("waiting to lock") || fact.starts_with("parking to wait for") {
            self.enters |= fact.starts_with("waiting to lock");
            self.thread.awaits = Some(object);
        } else if fact.starts_with("locked") && std::mem::take(&mut self.has_left_next) {
            self.left = Some(object.id);
            self.thread.awaits = Some(object);
        } else if fact.starts_with("locked") && self.left != Some(object.id) {
            self.thread.holds.push(object.id);
        }
    }
}

fn state_of(text: &str) -> ThreadState {
    match text.split([' ', '(']).next().unwrap_or("") {
        "BLOCKED" => ThreadState::Blocked,
        "WAITING" => ThreadState::Waiting,
        "TIMED_WAITING" => ThreadState::TimedWaiting,
        _ => ThreadState::Runnable,
    }
}

/// The object in `waiting to lock <0x00000000ffd181e0> (a java.lang.Object)`; at an `owner is scalar replaced` there is
/// none.
fn object(fact: &str) -> Option<Object> {
    let (_, rest) = fact.split_once("<0x")?;
    let (id, rest) = rest.split_once('>')?;
    let class = rest.trim_start().strip_prefix("(a ").and_then(|class| class.split(')').next()).unwrap_or("");
    Some(Object { id: u64::from_str_radix(id, 16).ok()?, class: bounded(class) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const JDK_17: &str = include_str!("../captured/locks-17.txt");
    const JDK_25: &str = include_str!("../captured/locks-25.txt");

    fn named<'a>(dump: &'a Dump, name: &str) -> &'a Thread {
        dump.threads.iter().find(|thread| thread.name == name).expect(name)
    }

    #[test]
    fn a_dump_says_who_waits_for_whom() {
        for text in [JDK_17, JDK_25] {
            let dump = threads(text);
            let (holder, entering, locking) =
                (named(&dump, "holder"), named(&dump, "entering-1"), named(&dump, "locking-0"));
            assert_eq!(holder.state, ThreadState::TimedWaiting);
            let monitor = entering.awaits.as_ref().expect("it waits");
            let lock = locking.awaits.as_ref().expect("it waits");
            assert_eq!((entering.state, monitor.class.as_str()), (ThreadState::Blocked, "java.lang.Object"));
            assert_eq!(lock.class, "java.util.concurrent.locks.ReentrantLock$NonfairSync");
            assert_eq!(holder.holds, [monitor.id, lock.id]);
            let waiting = named(&dump, "waiting");
            assert_eq!(waiting.awaits.as_ref().map(|it| it.class.as_str()), Some("java.util.concurrent.Semaphore"));
            assert_eq!(waiting.holds, [0; 0], "a monitor that it waits on is not held");
            assert_eq!(named(&dump, "listening").frames[0], "sun.nio.ch.Net.accept(Native Method)");
            assert!(dump.threads.iter().all(|thread| thread.name != "VM Thread" && thread.name != "Signal Dispatcher"));
        }
    }

    #[test]
    fn a_carrier_shows_the_virtual_thread_that_it_carries() {
        let dump = threads(JDK_25);
        let carrier = named(&dump, "ForkJoinPool-1-worker-1");
        assert!(carrier.is_carrying && carrier.frames[0].starts_with("Locks$Virtual.lambda$start$3("), "{carrier:?}");
        assert!(!named(&dump, "ForkJoinPool-1-worker-2").is_carrying);
    }

    /// As JDK 25 writes it of a virtual thread that is kept by a native frame.
    #[test]
    fn a_carrier_whose_virtual_thread_waits_waits() {
        let carrier = |top: &str| {
            let text = format!(
                "\"ForkJoinPool-1-worker-1\" #38 [39] daemon prio=5 os_prio=0 cpu=1.0ms tid=0x1 [0x2]\n   Carrying \
                 virtual thread #37\n\tat jdk.internal.vm.Continuation.run(java.base@25/Continuation.java:251)\n   \
                 Mounted virtual thread #37\n\tat {top}(java.base@25/Native Method)\n\tat \
                 app.Slow.<clinit>(Slow.java:1)\n"
            );
            let thread = threads(&text).threads.remove(0);
            assert!(thread.is_carrying, "{text}");
            thread.state
        };
        use ThreadState::{Runnable, Waiting};
        for top in ["jdk.internal.misc.Unsafe.park", "java.lang.Object.wait0", "java.lang.Thread.sleepNanos0"] {
            assert_eq!(carrier(top), Waiting, "{top}");
        }
        assert_eq!(carrier("sun.nio.ch.SocketDispatcher.write0"), Runnable);
    }

    /// As JDK 17 and 21 print them once `Object.wait` is compiled, and a carrier of JDK 21 at a monitor.
    #[test]
    fn a_monitor_that_is_waited_on_is_not_held_and_a_carrier_may_stand_at_one() {
        let waits = "\"a\" #9 prio=5\n   java.lang.Thread.State: WAITING (on object monitor)\n\tat \
                     java.lang.Object.wait(java.base@21/Native Method)\n\t- waiting on \
                     <no object reference available>\n\tat \
                     app.Queue.take(Queue.java:1)\n\t- locked <0x00000000000000aa> (a app.Queue)\n\tat \
                     app.Main.run(Main.java:2)\n\t- locked <0x00000000000000bb> (a app.Main)\n\n";
        let dump = threads(waits);
        let waiting = named(&dump, "a");
        assert_eq!(waiting.awaits.as_ref().map(|it| (it.id, it.class.as_str())), Some((0xaa, "app.Queue")));
        assert_eq!(waiting.holds, [0xbb]);
        let carries = "\"ForkJoinPool-1-worker-1\" #22 daemon\n   Carrying virtual thread #21\n\tat \
                       jdk.internal.vm.Continuation.run(Continuation.java:1)\n   Mounted virtual thread #21\n\tat \
                       app.Ledger.book(Ledger.java:1)\n\t- waiting to lock <0x00000000000000cc> (a app.Ledger)\n\n";
        let dump = threads(carries);
        let carrier = named(&dump, "ForkJoinPool-1-worker-1");
        assert_eq!((carrier.state, carrier.is_carrying), (ThreadState::Blocked, true));
    }

    #[test]
    fn a_name_may_hold_what_ends_it() {
        let text = "\"a \" #1 b\" #7 daemon prio=5 os_prio=0 cpu=1ms tid=0x1 nid=0x2 runnable\n\tat a.B.c(B.java:1)\n";
        assert_eq!(threads(text).threads[0].name, "a \" #1 b");
        let endless = format!("\"x\" #1 tid=0x1\n{}", "\tat a.B.c(B.java:1)\n".repeat(1_000));
        assert_eq!(threads(&endless).threads[0].frames.len(), super::super::INNERMOST + super::super::OUTERMOST);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(cut in 0..JDK_25.len(), text in ".{0,200}", at in 0..JDK_17.len()) {
            let _ = threads(&text);
            let head = JDK_25.get(..cut).unwrap_or_default();
            let tail = JDK_17.get(at..).unwrap_or_default();
            let _ = threads(&format!("{head}{text}{tail}"));
        }
    }
}
