//! CPU time of a JVM's JIT compilers, by their threads: the JVM's own counter is of the time that passed, which on a
//! busy machine is mostly others'.

use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

use crate::{parse::process, read};

/// The pause after a look for threads, as a multiple of its CPU time: a JVM may have thousands, and starts and ends
/// compilers as it needs them.
const LOOK_PAUSE: u32 = 50;
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// The kernel keeps 15 bytes of a name: of `C1 CompilerThread0`, `C2 …`, `JVMCI …` the first ones; JDK 26 leaves out
/// the middle itself (`C2 Comp..hread0`).
const NAMES: [&str; 3] = ["C1 Comp", "C2 Comp", "JVMCI"];

/// The compilers of one JVM.
#[derive(Debug, Default)]
pub(crate) struct Compilers {
    pid: i32,
    /// CPU time by thread, in ns, as it was last read.
    threads: BTreeMap<i32, u64>,
    /// The sum of those that have ended.
    ended: u64,
    next_look: Option<Instant>,
}

impl Compilers {
    /// CPU time that the compilers of `pid` have used since it began, in milliseconds; none while there are none.
    pub fn cpu_ms(&mut self, pid: i32) -> Option<f64> {
        if self.pid != pid {
            *self = Self { pid, ..Self::default() };
        }
        self.look_if_due();
        self.threads.retain(|tid, cpu| match cpu_of(pid, *tid) {
            Some(now) => {
                *cpu = now;
                true
            }
            None => {
                self.ended += *cpu;
                false
            }
        });
        let all = self.ended + self.threads.values().sum::<u64>();
        (all > 0).then(|| all as f64 / 1e6)
    }

    fn look_if_due(&mut self) {
        let (begun, cpu) = (Instant::now(), read::thread_cpu_time());
        if self.next_look.is_some_and(|due| begun < due) {
            return;
        }
        let tasks = fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten().flatten();
        let tids = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
        let unknown: Vec<i32> = tids.filter(|tid| !self.threads.contains_key(tid)).collect();
        self.threads.extend(unknown.into_iter().filter_map(|tid| Some((tid, cpu_of(self.pid, tid)?))));
        self.next_look = Some(begun + (read::thread_cpu_time().saturating_sub(cpu) * LOOK_PAUSE).max(LOOK_INTERVAL));
    }
}

/// CPU time of a compiler's thread in ns; none if it is no compiler, or has ended.
fn cpu_of(pid: i32, tid: i32) -> Option<u64> {
    let text = |file: &str| read::text(format!("/proc/{pid}/task/{tid}/{file}"));
    text("comm").filter(|name| NAMES.iter().any(|start| name.starts_with(start)))?;
    Some(process::schedule(&text("schedstat")?)?.0)
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use super::*;

    #[test]
    fn threads_named_as_compilers_are_counted_also_when_they_have_ended() {
        let own = i32::try_from(std::process::id()).expect("a pid fits");
        let mut compilers = Compilers::default();
        let (end, until) = mpsc::channel::<()>();
        let (begun, is_begun) = mpsc::channel();
        let compiler = thread::Builder::new().name("C2 CompilerThread0".to_owned()).spawn(move || {
            let busy_until = Instant::now() + Duration::from_millis(20);
            while Instant::now() < busy_until {}
            begun.send(()).expect("the test waits");
            let _ = until.recv();
        });
        is_begun.recv().expect("it began");
        let while_there = compilers.cpu_ms(own).expect("it was busy");
        assert!(while_there > 0.0);
        drop(end);
        compiler.expect("a thread").join().expect("no panic");
        // The kernel may list a thread that has been joined for a moment.
        let joined = Instant::now();
        while compilers.cpu_ms(own) >= Some(while_there) && compilers.ended == 0 && joined.elapsed().as_secs() < 60 {
            thread::yield_now();
        }
        assert!(compilers.cpu_ms(own) >= Some(while_there));
        assert!(compilers.threads.is_empty() && compilers.ended > 0);
        assert_eq!(compilers.cpu_ms(i32::MAX), None);
    }
}
