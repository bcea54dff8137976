//! Threads as a JVM tells of them: in the text of `Thread.print -l`, and in the JSON of `Thread.dump_to_file`.
//!
//! The text comes from a process that is not ours: it is bounded in every direction, and what is not understood is left
//! out.

mod fold;
mod json;
mod text;

use std::collections::BTreeSet;

use plimsoll_record::ThreadState;

pub use self::{
    fold::{fold, group},
    text::threads,
};

/// Threads beyond so many are counted and not kept.
const THREADS_MOST: usize = 100_000;
/// Frames of a thread that are kept: the innermost, by which it is told what it waits for, and the outermost, by which
/// it is told whose thread it is.
const INNERMOST: usize = 120;
const OUTERMOST: usize = 40;
/// Characters of a frame or a name.
const TEXT_MOST: usize = 300;

/// Threads of one dump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dump {
    /// Threads that run Java.
    pub threads: Vec<Thread>,
    /// Threads that were left out, because there are too many.
    pub left_out: u64,
    /// Numbers of all threads that a text tells, kept or not: none of them is virtual.
    pub numbers: BTreeSet<u64>,
}

impl Dump {
    /// Adds the virtual threads that a file of `Thread.dump_to_file` tells; false if it cannot be read. JDK 21 and 22
    /// tell frames of a carried one there alone: it takes the place of its carrier.
    pub fn add_virtual(&mut self, json: &[u8]) -> bool {
        let is_untold = self.threads.iter().any(Thread::is_untold);
        let Some(more) = json::virtual_threads(json, is_untold, &self.numbers) else { return false };
        self.threads.retain(|thread| !thread.is_untold());
        self.threads.extend(more.threads);
        self.left_out += more.left_out;
        true
    }
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Its name, which need not be unique.
    pub name: String,
    /// State.
    pub state: ThreadState,
    /// Whether it is a virtual thread.
    pub is_virtual: bool,
    /// Whether it carries a virtual thread, whose frames are then these, if they are told.
    pub is_carrying: bool,
    /// Innermost first.
    pub frames: Vec<String>,
    /// The object that it waits for.
    pub awaits: Option<Object>,
    /// Objects that it holds: monitors it has entered and is not waiting on, and synchronizers.
    pub holds: Vec<u64>,
}

/// Adds a frame, the outermost so far.
fn push_frame(frames: &mut Vec<String>, frame: String) {
    if frames.len() == INNERMOST + OUTERMOST {
        frames.remove(INNERMOST);
    }
    frames.push(frame);
}

impl Thread {
    /// Whether it carries a virtual thread whose frames are not told.
    fn is_untold(&self) -> bool {
        self.is_carrying && self.frames.is_empty()
    }

    /// Whether it carries a virtual thread, or is one that the JVM has beside those that do.
    pub fn is_of_carriers(&self) -> bool {
        // Carriers are called like threads of any fork-join pool; these two threads are there once there are carriers.
        self.is_carrying
            || ["VirtualThread-unparker", "VirtualThread-unblocker"].iter().any(|it| self.name.starts_with(it))
    }
}

/// An object that threads wait for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// Tells it from others in the same dump.
    pub id: u64,
    /// Its class.
    pub class: String,
}

/// `java.base@17.0.15/Thread.java:840` and `java.base/java.lang.Thread.run(…)` without the module.
fn without_module(frame: &str) -> String {
    let (place, source) = frame.split_once('(').unwrap_or((frame, ""));
    // A hidden class has a slash in its name, too: `App$$Lambda/0x00007f18bc000c08.run`.
    let place = place.rsplit_once('/').filter(|(_, rest)| !rest.starts_with("0x")).map_or(place, |(_, rest)| rest);
    let source = source.rsplit_once('/').map_or(source, |(_, rest)| rest);
    bounded(&if source.is_empty() { place.to_owned() } else { format!("{place}({source}") })
}

fn bounded(text: &str) -> String {
    text.chars().take(TEXT_MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_versions_are_left_out() {
        let cases = [
            ("java.lang.Thread.run(java.base@17.0.15/Thread.java:840)", "java.lang.Thread.run(Thread.java:840)"),
            ("java.base/java.lang.Thread.sleep(Native Method)", "java.lang.Thread.sleep(Native Method)"),
            ("app//a.B.c(B.java:1)", "a.B.c(B.java:1)"),
            ("a.B$$Lambda/0x00001f.run(Unknown Source)", "a.B$$Lambda/0x00001f.run(Unknown Source)"),
            ("a.B$$Lambda/0x1.run(java.base@25/Unknown Source)", "a.B$$Lambda/0x1.run(Unknown Source)"),
            (
                "java.lang.invoke.LambdaForm$DMH/0x4c21.invoke(LambdaForm$DMH)",
                "java.lang.invoke.LambdaForm$DMH/0x4c21.invoke(LambdaForm$DMH)",
            ),
            ("odd", "odd"),
        ];
        for (frame, expected) in cases {
            assert_eq!(without_module(frame), expected);
        }
    }
}
