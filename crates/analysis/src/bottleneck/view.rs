//! Observations of a target under one load: figures of the generator, samples, and the census.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::{
    Census, Interval, LevelData, Nanos, OtherProcess, Peer, Phase, ProcessFacts, RunData, Side, Stack, ThinkTime,
    Window, metric,
};

use super::{
    activity::{Activity, caller, executor, is_selecting, is_work, place, reads_itself, server, site, top_class},
    known,
    open::OpenLoad,
    readers::RequestsAt,
    refused::Refused,
    scope::Scope,
    steady::{steady, whole_seconds},
};
use crate::measured::{Span, Watched};

/// One run, under all its loads.
#[derive(Debug)]
pub(crate) struct View {
    pub rest: Seen,
    pub light: Seen,
    pub full: Seen,
    pub process: ProcessFacts,
    /// Places of the service at which it reads requests from sockets.
    requests_at: RequestsAt,
}

/// Observations under one load.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Requests in flight on average: throughput × response time.
    pub in_flight: f64,
    /// None of an open load.
    pub users: Option<u32>,
    /// Whether they pause between a response and their next request.
    pub is_pausing: bool,
    /// None of a closed load.
    pub open: Option<OpenLoad>,
    pub throughput_per_s: f64,
    pub response_ms: f64,
    pub first_byte_ms: f64,
    pub body_ms: f64,
    /// Share of requests that failed.
    pub errors: f64,
    pub refused: Option<Refused>,
    pub generator_percent: f64,
    /// CPU, 100 = one core: of the target, of the machine, of Plimsoll, and how many cores there are.
    pub cpu_percent: Option<f64>,
    pub machine_percent: Option<f64>,
    pub own_percent: f64,
    /// Threads of Plimsoll that could run and had no core, on average.
    pub own_waiting: f64,
    /// Share of the periods of Plimsoll's own CPU quota in which that was used up.
    pub own_throttled: f64,
    pub cores: f64,
    pub watched: Watched,
    pub seconds: f64,
    /// Threads by what they do, on average over dumps.
    pub threads: Vec<Doing>,
    pub dumps: u64,
    /// Classes in whose methods threads run, on average over dumps.
    pub hot: BTreeMap<String, f64>,
    pub dump_ms: Option<f64>,
    pub dumped_per_s: f64,
    pub peers: Vec<PeerSeen>,
    /// Cores that groups of threads used, and threads that had none though they could have run.
    pub tasks: Vec<TasksSeen>,
    /// Other processes, and the CPU that each used, 100 = one core; the busiest first.
    pub others: Vec<OtherSeen>,
    pub major_faults_per_s: f64,
    pub swapped_bytes: u64,
}

/// A process beside the target.
#[derive(Clone, Debug, Default)]
pub(crate) struct OtherSeen {
    pub pid: i32,
    pub name: String,
    pub percent: f64,
}

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
}

/// Connections of one kind, on average over censuses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PeerSeen {
    pub side: Side,
    pub port: u16,
    pub address: String,
    pub established: f64,
    pub established_most: u32,
    pub unread: f64,
    pub unacknowledged: f64,
    pub held_back: f64,
    pub open: f64,
    pub connecting: f64,
    pub unaccepted: f64,
    pub unaccepted_max: Option<u32>,
    pub questions_per_s: f64,
    pub opened_per_s: f64,
}

/// Threads of one name in the kernel's view.
#[derive(Clone, Debug, Default)]
pub(crate) struct TasksSeen {
    pub group: String,
    pub cores: f64,
    pub waiting: f64,
}

impl View {
    /// None unless the target was seen under full load.
    pub(crate) fn of(run: &RunData, scope: &Scope) -> Option<Self> {
        let full = Seen::of(run, scope, Window::Full)?;
        let mut process = run.censuses.last().map(|census| census.process.clone()).unwrap_or_default();
        let dumps = scope.censuses(run, Window::Full).into_iter().filter(|census| !census.stacks.is_empty());
        if dumps.clone().any(|census| census.process.blind.is_none()) {
            process.blind = None;
        }
        let rest = Seen::of(run, scope, Window::Rest).unwrap_or_default();
        let light = Seen::of(run, scope, Window::Light).unwrap_or_default();
        let requests_at = RequestsAt::of([&light, &full]);
        let mut view = Self { rest, light, full, process, requests_at };
        view.requests_at.mark(&mut view.full.threads);
        Some(view)
    }

    /// Whether the service reads requests from sockets itself.
    pub(crate) fn reads_requests(&self) -> bool {
        !self.requests_at.is_empty()
    }

    /// Threads that do so, of those given, but for those that do at rest.
    pub(crate) fn busy(&self, threads: &[Doing]) -> Vec<Doing> {
        let at_rest = |doing: &Doing| {
            // A thread that serves a request has work, whatever was left over when it was looked at without load.
            if doing.server.is_some() {
                return 0.0;
            }
            let same = self.rest.threads.iter().filter(|it| it.is_like(doing));
            same.map(|it| it.count).sum::<f64>()
        };
        let mut left: BTreeMap<String, f64> = BTreeMap::new();
        // A thread that accepts connections has none of their requests.
        let has_work = |it: &&Doing| it.what != Activity::Idle && !it.is_acceptor && !self.requests_at.has(it);
        let mut busy: Vec<Doing> = threads.iter().filter(has_work).cloned().collect();
        for doing in &mut busy {
            let key = format!("{} {:?}", doing.group, doing.what);
            let left = left.entry(key).or_insert_with(|| at_rest(doing));
            let taken = left.min(doing.count);
            *left -= taken;
            doing.count -= taken;
        }
        busy.retain(|doing| doing.count > 0.005);
        busy
    }
}

impl Doing {
    /// `app.OrderClient.find, called from app.Orders.list`.
    pub(crate) fn place_in_full(&self) -> Option<String> {
        let site = self.site.as_ref()?;
        Some(self.caller.as_ref().map_or_else(|| site.clone(), |caller| format!("{site}, called from {caller}")))
    }

    fn is_like(&self, other: &Self) -> bool {
        self.group == other.group && self.what == other.what && self.site == other.site
    }
}

impl Seen {
    fn of(run: &RunData, scope: &Scope, window: Window) -> Option<Self> {
        let censuses = scope.censuses(run, window);
        if window == Window::Rest {
            return Some(Self::by(&censuses));
        }
        let level = |phase: Phase| run.levels.iter().find(|it| it.plan.phase == phase && scope.is_of(&it.plan, window));
        let has_figures = |it: &&LevelData| !it.intervals.is_empty();
        // The probe is all that there is of an explanation that was interrupted.
        let is_full = window == Window::Full && *scope == Scope::Alone;
        // A level that had just begun by then tells less than the one before.
        let has_answers = |it: &&LevelData| it.intervals.iter().any(|interval| interval.counts.succeeded > 0);
        let offered = || run.levels.iter().rev();
        let last = || offered().find(has_answers).or_else(|| offered().find(has_figures)).filter(|_| is_full);
        let measured = level(scope.phase()).filter(has_figures).or_else(last)?;
        let mut seen = Self::default();
        seen.figures(measured);
        seen.is_pausing = measured.plan.load.think_time().is_some_and(|think| think != ThinkTime::None);
        match measured.plan.load.is_closed() {
            true => seen.users = Some(measured.plan.load.max_in_flight()),
            false => seen.offered(OpenLoad::of(measured)),
        }
        seen.samples(run, measured);
        let sides: Vec<Side> = censuses.iter().flat_map(|census| &census.peers).map(|peer| peer.side).collect();
        let (dumps, glances): (Vec<&Census>, Vec<&Census>) =
            censuses.into_iter().partition(|census| !census.stacks.is_empty());
        seen.dumps(&told(&dumps));
        if sides.contains(&Side::Inbound) && !sides.contains(&Side::Outbound) {
            seen.read_requests();
        }
        let censuses = if glances.len() >= 2 { glances } else { dumps };
        seen.censuses(&censuses);
        if let Some(census) = level(Phase::Census) {
            let (succeeded, seconds) = whole_seconds(census);
            seen.dumped_per_s = succeeded / seconds.max(1e-9);
        }
        Some(seen)
    }

    /// Observations that censuses alone tell.
    pub(crate) fn by(censuses: &[&Census]) -> Self {
        let mut seen = Self::default();
        seen.dumps(&told(&censuses.iter().copied().filter(|census| !census.stacks.is_empty()).collect::<Vec<_>>()));
        seen.censuses(censuses);
        seen
    }

    fn figures(&mut self, level: &LevelData) {
        let mut all = Interval::default();
        let body: Vec<&Interval> = steady(level);
        body.iter().for_each(|interval| all.merge(interval));
        let (succeeded, seconds) = whole_seconds(level);
        let ended = all.ended() as f64;
        self.seconds = seconds;
        self.throughput_per_s = succeeded / seconds.max(1e-9);
        self.response_ms = all.ok.response.mean_ns() / 1e6;
        self.first_byte_ms = all.first_byte.mean_ns() / 1e6;
        self.body_ms = all.body.mean_ns() / 1e6;
        self.errors = if ended > 0.0 { all.counts.failed as f64 / ended } else { 0.0 };
        // Requests that are refused take another time than those that are carried.
        let failed = &all.failed.response;
        let failed_ms = failed.count() as f64 * failed.mean_ns() / 1e6;
        let waited_ms = (ended - failed.count() as f64) * self.response_ms + failed_ms;
        self.in_flight = waited_ms / 1e3 / seconds.max(1e-9);
        self.refused = Refused::of(&all);
        self.generator_percent = all.generator.busiest_worker_percent;
    }

    /// Requests of an open load that grow in number are not told by those that have ended.
    fn offered(&mut self, open: OpenLoad) {
        self.in_flight = open.in_flight;
        self.open = Some(open);
    }

    fn samples(&mut self, run: &RunData, level: &LevelData) {
        let steady = steady(level);
        let start = level.started + steady.first().map_or(Nanos::ZERO, |it| it.start);
        let end = level.started + steady.last().map_or(Nanos::ZERO, |it| it.start + it.duration);
        let watched = Watched::of(&run.samples, Span { start, end, next: Some(end) });
        self.cpu_percent = watched.mean(metric::CPU_PERCENT.name);
        self.machine_percent = watched.mean(metric::MACHINE_CPU_PERCENT.name);
        self.cores = watched.mean(metric::CPU_CORES.name).unwrap_or(1.0);
        self.watched = watched;
    }

    fn dumps(&mut self, dumps: &[&Census]) {
        self.dumps = dumps.len() as u64;
        if dumps.is_empty() {
            return;
        }
        let part = 1.0 / dumps.len() as f64;
        for (number, census) in dumps.iter().enumerate() {
            for stack in &census.stacks {
                self.count(stack, &census.stacks, part, 1 << number.min(63));
            }
        }
        self.threads.sort_by(|a, b| b.count.total_cmp(&a.count));
        let loops: BTreeSet<String> =
            self.threads.iter().filter(|doing| doing.is_loop).map(|doing| doing.group.clone()).collect();
        self.threads.iter_mut().for_each(|doing| doing.is_loop = loops.contains(&doing.group));
        let ms: f64 = dumps.iter().map(|census| census.dump.as_millis_f64()).sum();
        self.dump_ms = Some(ms * part);
    }

    /// Threads that read sockets of a target which has no connection to another service wait for requests.
    fn read_requests(&mut self) {
        let readers = self
            .threads
            .iter_mut()
            .filter(|doing| doing.what == Activity::Calls { is_database: false, by_others: false });
        readers.for_each(|doing| doing.what = Activity::Idle);
    }

    fn count(&mut self, stack: &Stack, all: &[Stack], part: f64, seen: u64) {
        let holder = stack.awaited.as_ref().and_then(|awaited| all.get(awaited.holder?));
        let what = Activity::of(stack);
        if let Some(class) = top_class(stack).filter(|_| what == Activity::Runs && is_work(stack)) {
            *self.hot.entry(class.to_owned()).or_default() += f64::from(stack.count) * part;
        }
        let doing = Doing {
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
            count: f64::from(stack.count) * part,
            seen,
            is_loop: known::is_event_loop(&stack.group, &stack.frames),
            is_selecting: is_selecting(stack),
            is_acceptor: known::is_acceptor(&stack.group, &stack.frames),
            reads_itself: reads_itself(stack),
        };
        let same = self.threads.iter_mut().find(|it| {
            it.is_like(&doing)
                && it.server == doing.server
                && it.is_carrying == doing.is_carrying
                && it.is_loop == doing.is_loop
                && it.is_selecting == doing.is_selecting
                && it.is_acceptor == doing.is_acceptor
                && (it.holder == doing.holder || doing.holder.is_none())
        });
        match same {
            Some(same) => {
                same.count += doing.count;
                same.seen |= doing.seen;
            }
            None => self.threads.push(doing),
        }
    }

    fn censuses(&mut self, censuses: &[&Census]) {
        let (Some(first), Some(last)) = (censuses.first(), censuses.last()) else { return };
        let part = 1.0 / censuses.len() as f64;
        let seconds = (last.at - first.at).as_secs_f64();
        for peer in censuses.iter().flat_map(|census| &census.peers) {
            self.peer(peer, part);
        }
        for peer in &mut self.peers {
            let growth = |of: fn(&Peer) -> u64| {
                let at = |census: &Census| census.peers.iter().find(|it| peer.is(it)).map(of);
                // One that was not there at first has begun at zero.
                let begin = censuses.iter().find_map(|census| at(census)).unwrap_or(0);
                let end = censuses.iter().rev().find_map(|census| at(census)).unwrap_or(0);
                if seconds > 0.0 { end.saturating_sub(begin) as f64 / seconds } else { 0.0 }
            };
            (peer.questions_per_s, peer.opened_per_s) = (growth(|it| it.questions), growth(|it| it.opened));
        }
        if seconds > 0.0 {
            self.tasks = tasks(first, last, seconds);
            self.others = others(censuses);
            self.own_percent = (last.own_cpu - first.own_cpu).as_secs_f64() / seconds * 100.0;
            self.own_waiting = (last.own_delay - first.own_delay).as_secs_f64() / seconds;
            let throttled = last.own_throttled_periods.saturating_sub(first.own_throttled_periods);
            self.own_throttled = throttled as f64 / (seconds * 10.0);
            let faults = last.process.major_faults.saturating_sub(first.process.major_faults);
            self.major_faults_per_s = faults as f64 / seconds;
        }
        self.swapped_bytes = last.process.swapped_bytes;
    }

    fn peer(&mut self, peer: &Peer, part: f64) {
        let index = self.peers.iter().position(|it| it.is(peer)).unwrap_or(self.peers.len());
        if index == self.peers.len() {
            let Peer { side, port, address, .. } = peer.clone();
            self.peers.push(PeerSeen { side, port, address, ..PeerSeen::default() });
        }
        let seen = &mut self.peers[index];
        seen.established += f64::from(peer.established) * part;
        seen.established_most = seen.established_most.max(peer.established);
        seen.unread += f64::from(peer.unread) * part;
        seen.unacknowledged += f64::from(peer.unacknowledged) * part;
        seen.held_back += f64::from(peer.held_back) * part;
        seen.open += f64::from(peer.open) * part;
        seen.connecting += f64::from(peer.connecting) * part;
        seen.unaccepted += f64::from(peer.unaccepted) * part;
        seen.unaccepted_max = peer.unaccepted_max.or(seen.unaccepted_max);
    }

    /// Connections that the target has accepted, and those that wait for it.
    pub(crate) fn inbound(&self) -> PeerSeen {
        let inbound = self.peers.iter().filter(|peer| peer.side == Side::Inbound);
        inbound.fold(PeerSeen::default(), |mut sum, peer| {
            sum.established += peer.established;
            sum.established_most += peer.established_most;
            sum.unread += peer.unread;
            sum.unacknowledged += peer.unacknowledged;
            sum.unaccepted += peer.unaccepted;
            sum.unaccepted_max = sum.unaccepted_max.max(peer.unaccepted_max);
            sum.questions_per_s += peer.questions_per_s;
            sum.opened_per_s += peer.opened_per_s;
            sum
        })
    }

    /// The peers that the target asks, the one with the most open questions first.
    pub(crate) fn outbound(&self) -> Vec<&PeerSeen> {
        let mut outbound: Vec<&PeerSeen> = self.peers.iter().filter(|peer| peer.side == Side::Outbound).collect();
        outbound.sort_by(|a, b| b.open.total_cmp(&a.open).then(b.questions_per_s.total_cmp(&a.questions_per_s)));
        outbound
    }

    /// The same peer as one of another load.
    pub(crate) fn outbound_to(&self, peer: &PeerSeen) -> Option<&PeerSeen> {
        let is_same = |it: &&PeerSeen| (it.side, it.port, &it.address) == (peer.side, peer.port, &peer.address);
        self.peers.iter().find(is_same)
    }

    /// CPU of processes that are neither the target nor Plimsoll, 100 = one core.
    pub(crate) fn others_percent(&self) -> Option<f64> {
        Some((self.machine_percent? - self.cpu_percent? - self.own_percent).max(0.0))
    }

    /// Cores used by the groups of threads that `is_meant` selects by name.
    pub(crate) fn cores_of(&self, is_meant: impl Fn(&str) -> bool) -> f64 {
        self.tasks.iter().filter(|tasks| is_meant(&tasks.group)).map(|tasks| tasks.cores).sum()
    }
}

impl PeerSeen {
    fn is(&self, peer: &Peer) -> bool {
        (self.side, self.port, &self.address) == (peer.side, peer.port, &peer.address)
    }

    /// How long an answer takes, by the questions that are open (Little's law).
    pub(crate) fn call_ms(&self) -> Option<f64> {
        (self.questions_per_s > 0.5).then(|| self.open / self.questions_per_s * 1e3)
    }

    /// `10.0.0.1:443`.
    pub(crate) fn name(&self) -> String {
        if self.address.contains(':') {
            return format!("[{}]:{}", self.address, self.port);
        }
        format!("{}:{}", self.address, self.port)
    }
}

/// Dumps that tell all threads, if there are any: others would halve what those tell.
fn told<'a>(dumps: &[&'a Census]) -> Vec<&'a Census> {
    let whole: Vec<&Census> = dumps.iter().copied().filter(|census| census.process.blind.is_none()).collect();
    if whole.is_empty() { dumps.to_vec() } else { whole }
}

fn tasks(first: &Census, last: &Census, seconds: f64) -> Vec<TasksSeen> {
    let of = |tasks: &plimsoll_record::Tasks| {
        let before = first.tasks.iter().find(|it| it.group == tasks.group);
        let grown = |now: Nanos, before: Option<Nanos>| (now - before.unwrap_or_default()).as_secs_f64() / seconds;
        TasksSeen {
            group: tasks.group.clone(),
            cores: grown(tasks.cpu, before.map(|it| it.cpu)),
            waiting: grown(tasks.delay, before.map(|it| it.delay)),
        }
    };
    last.tasks.iter().map(of).collect()
}

/// Processes that were seen at two looks, by what they used in between.
fn others(censuses: &[&Census]) -> Vec<OtherSeen> {
    let mut found: BTreeMap<i32, (OtherSeen, Nanos, Nanos)> = BTreeMap::new();
    for (at, process) in censuses.iter().flat_map(|census| census.others.iter().map(|it| (census.at, it))) {
        let OtherProcess { pid, name, cpu } = process.clone();
        let (other, from, before) =
            found.entry(pid).or_insert_with(|| (OtherSeen { pid, name, percent: 0.0 }, at, cpu));
        let (time, used) = ((at - *from).as_secs_f64(), (cpu - *before).as_secs_f64());
        other.percent = if time > 0.0 { used / time * 100.0 } else { 0.0 };
    }
    let mut others: Vec<OtherSeen> = found.into_values().map(|(other, ..)| other).collect();
    others.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    others
}
