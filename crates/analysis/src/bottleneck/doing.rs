//! Threads of a target by what they do, from thread dumps.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::{Census, Stack};

use super::{
    activity::{
        self, Activity, caller, executor, is_selecting, let_in_by, place, reads_itself, server, shares_its_connection,
        site, waits_itself,
    },
    known::{self, Library},
};

/// Threads of one group that do the same.
#[derive(Clone, Debug)]
pub(crate) struct Doing {
    pub group: String,
    pub what: Activity,
    pub site: Option<String>,
    /// The caller of the site.
    pub caller: Option<String>,
    /// Index into the known servers, if it serves a request.
    pub server: Option<usize>,
    pub is_virtual: bool,
    pub is_carrying: bool,
    /// The class whose code it is in, if it carries a virtual thread that may wait there for a monitor untold.
    pub may_enter: Option<String>,
    /// Activity and site of the thread that holds what they wait for.
    pub holder: Option<(Activity, Option<String>)>,
    /// The library's frame in which they wait.
    pub place: Option<String>,
    /// The library that has let them in, as a bulkhead does.
    pub let_in_by: Option<&'static Library>,
    /// The executor whose threads they are.
    pub executor: Option<&'static str>,
    pub count: f64,
    /// A bit for each dump in which they were seen.
    pub seen: u64,
    /// Whether they are of a group whose threads run many requests each.
    pub is_loop: bool,
    /// Whether they wait for events of sockets.
    pub is_selecting: bool,
    /// Whether they accept connections.
    pub is_acceptor: bool,
    /// Whether the service's own code reads a socket, without a client between.
    pub reads_itself: bool,
    /// Whether they wait for answers on a connection that many calls share.
    pub shares_its_connection: bool,
    /// Whether the service's own code waits, without a library between.
    pub waits_itself: bool,
    /// Whether they want memory outside the heap.
    pub reserves_memory: bool,
    /// Whether they have garbage collected (`System.gc`).
    pub asks_to_collect: bool,
}

impl Doing {
    /// `app.OrderClient.find, called from app.Orders.list`.
    pub(crate) fn place_in_full(&self) -> Option<String> {
        let site = self.site.as_ref()?;
        Some(self.caller.as_ref().map_or_else(|| site.clone(), |caller| format!("{site}, called from {caller}")))
    }

    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.group == other.group && self.what == other.what && self.site == other.site
    }

    fn of(stack: &Stack, all: &[Stack], locks: &Locks) -> Self {
        let holder = stack.awaited.as_ref().and_then(|awaited| all.get(awaited.holder?));
        let what = locks.activity(stack);
        // A thread that is about to own what they wait for waits for the same: it is no holder.
        let holder = holder.map(|holder| (locks.activity(holder), site(holder))).filter(|(does, _)| *does != what);
        let may_enter = || activity::class(stack.frames.first().filter(|frame| !frame.ends_with("(Native Method)"))?);
        Self {
            group: stack.group.clone(),
            may_enter: may_enter().filter(|_| stack.is_carrying).map(ToOwned::to_owned),
            place: place(stack, &what),
            executor: executor(stack),
            let_in_by: let_in_by(stack),
            what,
            site: site(stack),
            caller: caller(stack),
            server: server(stack),
            is_virtual: stack.is_virtual,
            is_carrying: stack.is_carrying,
            holder,
            count: f64::from(stack.count),
            seen: 0,
            is_loop: known::is_event_loop(&stack.group, &stack.frames),
            is_selecting: is_selecting(stack),
            is_acceptor: known::is_acceptor(&stack.group, &stack.frames),
            reads_itself: reads_itself(stack),
            shares_its_connection: shares_its_connection(stack),
            waits_itself: waits_itself(stack),
            asks_to_collect: stack.frames.first().is_some_and(|frame| frame.starts_with(known::ASKS_TO_COLLECT)),
            reserves_memory: stack.frames.iter().any(|frame| frame.starts_with(known::RESERVES_MEMORY)),
        }
    }

    /// Whether both are merged into one.
    fn is_same(&self, other: &Self) -> bool {
        self.is_like(other)
            && self.server == other.server
            && self.is_carrying == other.is_carrying
            && self.is_loop == other.is_loop
            && self.is_selecting == other.is_selecting
            && self.is_acceptor == other.is_acceptor
            && self.shares_its_connection == other.shares_its_connection
            && self.waits_itself == other.waits_itself
            && self.reserves_memory == other.reserves_memory
            && self.asks_to_collect == other.asks_to_collect
            && (self.holder == other.holder || other.holder.is_none())
    }
}

/// Threads on average over dumps, the most first.
pub(super) fn threads(dumps: &[&Census]) -> Vec<Doing> {
    let mut threads: Vec<Doing> = Vec::new();
    let locks = Locks::of(dumps);
    for (number, census) in dumps.iter().enumerate() {
        for stack in &census.stacks {
            let mut doing = Doing::of(stack, &census.stacks, &locks);
            doing.count *= part(dumps);
            doing.seen = 1 << number.min(63);
            match threads.iter_mut().find(|it| it.is_same(&doing)) {
                Some(same) => {
                    same.count += doing.count;
                    same.seen |= doing.seen;
                }
                None => threads.push(doing),
            }
        }
    }
    threads.sort_by(|a, b| b.count.total_cmp(&a.count));
    let loops: BTreeSet<String> =
        threads.iter().filter(|doing| doing.is_loop).map(|doing| doing.group.clone()).collect();
    threads.iter_mut().for_each(|doing| doing.is_loop = loops.contains(&doing.group));
    threads
}

/// Locks that threads wait for, by the threads' group and site.
struct Locks(BTreeMap<(String, String), Activity>);

impl Locks {
    fn of(dumps: &[&Census]) -> Self {
        let blocked = dumps.iter().flat_map(|census| &census.stacks).filter(|stack| stack.awaited.is_some());
        let locks = blocked.filter_map(|stack| match Activity::of(stack) {
            lock @ Activity::Lock { .. } => Some(((stack.group.clone(), site(stack)?), lock)),
            _ => None,
        });
        Self(locks.collect())
    }

    /// The activity of a thread. A dump tells no lock for one that is about to own it: it is the one of others there.
    fn activity(&self, stack: &Stack) -> Activity {
        let what = Activity::of(stack);
        let is_next = what == (Activity::Lock { class: String::new() });
        let site = if is_next { site(stack) } else { None };
        site.and_then(|site| self.0.get(&(stack.group.clone(), site))).cloned().unwrap_or(what)
    }
}

/// The weight of one dump.
fn part(dumps: &[&Census]) -> f64 {
    1.0 / dumps.len() as f64
}

/// How many of these threads are meant.
pub(crate) fn count<'a>(doings: impl IntoIterator<Item = &'a Doing>, is_meant: impl Fn(&Doing) -> bool) -> f64 {
    doings.into_iter().filter(|doing| is_meant(doing)).fold(0.0, |sum, doing| sum + doing.count)
}
