//! Threads of a target by what they do, as dumps tell.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::{Census, Stack};

use super::{
    activity::{
        Activity, caller, class, executor, is_selecting, is_work, place, reads_itself, server, shares_its_connection,
        site,
    },
    known,
};

/// Threads of one group that do the same.
#[derive(Clone, Debug)]
pub(crate) struct Doing {
    pub group: String,
    pub what: Activity,
    pub site: Option<String>,
    /// The caller of it there.
    pub caller: Option<String>,
    /// Index into the known servers, if it serves a request.
    pub server: Option<usize>,
    pub is_virtual: bool,
    pub is_carrying: bool,
    /// Activity and site of the one that holds what they wait for.
    pub holder: Option<(Activity, Option<String>)>,
    /// The library's frame in which they wait.
    pub place: Option<String>,
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
    /// Whether the service's own code reads a socket, without a client.
    pub reads_itself: bool,
    /// Whether they wait for answers on a connection that many calls share.
    pub shares_its_connection: bool,
}

impl Doing {
    /// `app.OrderClient.find, called from app.Orders.list`.
    pub(crate) fn place_in_full(&self) -> Option<String> {
        let site = self.site.as_ref()?;
        Some(self.caller.as_ref().map_or_else(|| site.clone(), |caller| format!("{site}, called from {caller}")))
    }

    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.group == other.group && self.what == other.what && self.site == other.site
    }

    fn of(stack: &Stack, all: &[Stack]) -> Self {
        let holder = stack.awaited.as_ref().and_then(|awaited| all.get(awaited.holder?));
        let what = Activity::of(stack);
        Self {
            group: stack.group.clone(),
            place: place(stack, &what),
            executor: executor(stack),
            what,
            site: site(stack),
            caller: caller(stack),
            server: server(stack),
            is_virtual: stack.is_virtual,
            is_carrying: stack.is_carrying,
            holder: holder.map(|holder| (Activity::of(holder), site(holder))),
            count: f64::from(stack.count),
            seen: 0,
            is_loop: known::is_event_loop(&stack.group, &stack.frames),
            is_selecting: is_selecting(stack),
            is_acceptor: known::is_acceptor(&stack.group, &stack.frames),
            reads_itself: reads_itself(stack),
            shares_its_connection: shares_its_connection(stack),
        }
    }

    /// Whether both are told as one.
    fn is_same(&self, other: &Self) -> bool {
        self.is_like(other)
            && self.server == other.server
            && self.is_carrying == other.is_carrying
            && self.is_loop == other.is_loop
            && self.is_selecting == other.is_selecting
            && self.is_acceptor == other.is_acceptor
            && (self.holder == other.holder || other.holder.is_none())
    }
}

/// Threads on average over dumps, the most first.
pub(super) fn threads(dumps: &[&Census]) -> Vec<Doing> {
    let mut threads: Vec<Doing> = Vec::new();
    for (number, census) in dumps.iter().enumerate() {
        for stack in &census.stacks {
            let mut doing = Doing::of(stack, &census.stacks);
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

/// A class in which threads run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hot {
    /// The innermost one that is not the JDK's, where there is any.
    pub class: String,
    /// The innermost of all, where most of its threads are in the JDK.
    pub jdk: Option<String>,
    /// Its share of the threads that run.
    pub share: f64,
}

/// The class in which most threads run.
pub(super) fn hottest(dumps: &[&Census]) -> Option<Hot> {
    let mut classes: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for stack in dumps.iter().flat_map(|census| &census.stacks) {
        let top = stack.frames.first().and_then(|frame| class(frame));
        if let Some(top) = top.filter(|_| is_work(stack) && Activity::of(stack) == Activity::Runs) {
            let beyond = stack.frames.iter().find(|frame| !known::is_of_jdk(frame)).and_then(|frame| class(frame));
            *classes.entry(beyond.unwrap_or(top)).or_default().entry(top).or_default() += stack.count;
        }
    }
    let count = |within: &BTreeMap<&str, u32>| within.values().sum::<u32>();
    let all: u32 = classes.values().map(count).sum();
    let (class, within) = classes.iter().max_by_key(|(_, within)| count(within))?;
    let (top, _) = within.iter().max_by_key(|(_, count)| **count)?;
    Some(Hot {
        class: (*class).to_owned(),
        jdk: (top != class).then(|| (*top).to_owned()),
        share: f64::from(count(within)) / f64::from(all.max(1)),
    })
}

/// The weight of one dump.
fn part(dumps: &[&Census]) -> f64 {
    1.0 / dumps.len() as f64
}

#[cfg(test)]
mod tests {
    use plimsoll_record::ThreadState;

    use super::*;

    fn running(count: u32, frames: &[&str]) -> Stack {
        let served =
            ["org.apache.coyote.http11.Http11Processor.service(Http11Processor.java:1)", "java.lang.Thread.run"];
        Stack {
            group: "http-nio-8080-exec-*".to_owned(),
            count,
            state: ThreadState::Runnable,
            frames: frames.iter().chain(&served).map(|frame| (*frame).to_owned()).collect(),
            ..Stack::default()
        }
    }

    #[test]
    fn the_cpu_is_told_by_who_uses_the_jdk_and_for_what() {
        let generator = "tools.jackson.core.json.UTF8JsonGenerator.writeNumber(UTF8JsonGenerator.java:1)";
        let stacks = vec![
            running(3, &["jdk.internal.math.DoubleToDecimal.toDecimal(DoubleToDecimal.java:1)", generator]),
            running(2, &["java.lang.String.getBytes(String.java:1)", generator]),
            running(1, &[generator]),
            running(4, &["app.Prices.sum(Prices.java:1)", generator]),
        ];
        let hot = hottest(&[&Census { stacks, ..Census::default() }]).unwrap();
        assert_eq!(hot.class, "tools.jackson.core.json.UTF8JsonGenerator");
        assert_eq!((hot.jdk.as_deref(), hot.share), (Some("jdk.internal.math.DoubleToDecimal"), 0.6));
        assert!(hottest(&[&Census::default()]).is_none());
    }
}
