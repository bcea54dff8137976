//! Observations of a target under one load: figures of the generator, samples, and censuses.

use plimsoll_record::{Census, Interval, LevelData, Nanos, Peer, Phase, RunData, Side, ThinkTime, Window, metric};

use super::{
    activity::Activity,
    deadlock::Deadlock,
    doing::{Doing, threads},
    hot::{Hot, hottest},
    objects::ObjectsSeen,
    open::OpenLoad,
    peers::{PeerSeen, peers},
    refused::Refused,
    scope::Scope,
    steady::{steady, whole_seconds},
    tasks::{OtherSeen, TasksSeen, ThreadSeen, busiest, others, tasks},
};
use crate::measured::{Span, Watched};

/// Observations under one load.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Requests in flight on average: throughput × response time.
    pub in_flight: f64,
    /// Virtual users; none for an open load.
    pub users: Option<u32>,
    /// Whether they pause between a response and their next request.
    pub is_pausing: bool,
    /// The open load; none for a closed one.
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
    /// Threads of Plimsoll that could run but had no core, on average.
    pub own_waiting: f64,
    /// Share of the periods of Plimsoll's own CPU quota in which it was used up.
    pub own_throttled: f64,
    pub cores: f64,
    pub watched: Watched,
    pub seconds: f64,
    /// Threads by what they do, on average over dumps.
    pub threads: Vec<Doing>,
    pub dumps: u64,
    /// The same for each dump, under full load.
    pub each: Vec<Vec<Doing>>,
    /// Threads that wait for each other for ever.
    pub deadlock: Option<Deadlock>,
    /// The class in which most threads run.
    pub hottest: Option<Hot>,
    /// Looks from which connections and tasks are taken: those without a dump, if there are two.
    pub looks: u64,
    /// Questions to others that were open at each look, with a dump or without.
    pub open_at: Vec<u32>,
    pub dump_ms: Option<f64>,
    pub dumped_per_s: f64,
    pub peers: Vec<PeerSeen>,
    /// Groups of threads: the cores that they used, and their threads that could have run but had none.
    pub tasks: Vec<TasksSeen>,
    /// Threads that waited for a disk, on average.
    pub at_disk: f64,
    /// The busiest threads of a target that is no JVM, one by one.
    pub busiest: Vec<ThreadSeen>,
    /// Other processes, and the CPU that each used, 100 = one core; the busiest first.
    pub others: Vec<OtherSeen>,
    /// Objects in which asynchronous code may wait.
    pub objects: ObjectsSeen,
    pub major_faults_per_s: f64,
    pub swapped_bytes: u64,
}

/// Seconds without an answer that tell something.
const STUCK_S: f64 = 2.0;

impl Seen {
    /// Observations in a window; none if nothing was measured under its load.
    pub(super) fn of(run: &RunData, scope: &Scope, window: Window) -> Option<Self> {
        let censuses = scope.censuses(run, window);
        if window == Window::Rest {
            return Some(Self::by(&censuses));
        }
        let level = |phase: Phase| run.levels.iter().find(|it| it.plan.phase == phase && scope.is_of(&it.plan, window));
        let has_figures = |it: &&LevelData| !it.intervals.is_empty();
        // An explanation that was interrupted has only its probe.
        let is_full = window == Window::Full && *scope == Scope::Alone;
        // A level that had just begun when it was interrupted tells less than the one before.
        let has_answers = |it: &&LevelData| it.intervals.iter().any(|interval| interval.counts.succeeded > 0);
        let offered = || run.levels.iter().rev().filter(|it| it.plan.label != Window::Light.label());
        let is_whole = |it: &&LevelData| it.plan.phase != Phase::Discarded && has_answers(it);
        let last = || {
            let some = || offered().find(has_answers).or_else(|| offered().find(has_figures));
            offered().find(is_whole).or_else(some).filter(|_| is_full)
        };
        let measured = level(scope.phase()).filter(has_figures).or_else(last)?;
        let mut seen = Self::default();
        seen.figures(measured);
        seen.is_pausing = measured.plan.load.think_time().is_some_and(|think| think != ThinkTime::None);
        match measured.plan.load.is_closed() {
            true => seen.shared_by(measured.plan.load.max_in_flight()),
            false => seen.offered(OpenLoad::of(measured)),
        }
        seen.samples(run, measured);
        let sides: Vec<Side> = censuses.iter().flat_map(|census| &census.peers).map(|peer| peer.side).collect();
        let calls = |peer: &&Peer| peer.side == Side::Outbound;
        let open = |census: &&Census| census.peers.iter().filter(calls).map(|peer| peer.open).sum();
        seen.open_at = censuses.iter().map(open).collect();
        let (dumps, glances): (Vec<&Census>, Vec<&Census>) =
            censuses.into_iter().partition(|census| !census.stacks.is_empty());
        let told = told(&dumps);
        seen.dumps(&told);
        if window == Window::Full {
            seen.each = told.iter().map(|&dump| threads(&[dump])).collect();
        }
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

    /// Takes the users of a closed load. While no request ends, each has one in flight.
    fn shared_by(&mut self, users: u32) {
        self.users = Some(users);
        if self.in_flight <= 0.0 && !self.is_pausing {
            self.in_flight = f64::from(users);
        }
    }

    /// Takes requests in flight from the open load: those that have ended do not tell of a queue that grows.
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
        self.objects = ObjectsSeen::of(dumps);
        self.threads = threads(dumps);
        self.deadlock = Deadlock::of(dumps);
        self.hottest = hottest(dumps);
        let ms: f64 = dumps.iter().map(|census| census.dump.as_millis_f64()).sum();
        self.dump_ms = (!dumps.is_empty()).then(|| ms / dumps.len() as f64);
    }

    /// Marks threads that read sockets as idle if the target calls no other service: they wait for requests. Code that
    /// a server has called for a request does not: it reads a socket that is no TCP connection.
    fn read_requests(&mut self) {
        let reads = Activity::Calls { is_database: false, by_others: false };
        let is_called = |doing: &Doing| doing.server.is_some() && doing.site.is_some();
        let readers = self.threads.iter_mut().filter(|doing| doing.what == reads && !is_called(doing));
        readers.for_each(|doing| doing.what = Activity::Idle);
    }

    fn censuses(&mut self, censuses: &[&Census]) {
        self.looks = censuses.len() as u64;
        let (Some(first), Some(last)) = (censuses.first(), censuses.last()) else { return };
        let seconds = (last.at - first.at).as_secs_f64();
        self.peers = peers(censuses, seconds);
        let at_disk: u32 = censuses.iter().flat_map(|census| &census.tasks).map(|tasks| tasks.at_disk).sum();
        self.at_disk = f64::from(at_disk) / censuses.len() as f64;
        if seconds > 0.0 {
            self.tasks = tasks(first, last, seconds);
            self.busiest = busiest(first, last, seconds);
            self.others = others(censuses);
            self.own_percent = (last.own_cpu - first.own_cpu).as_secs_f64() / seconds * 100.0;
            self.own_waiting = (last.own_delay - first.own_delay).as_secs_f64() / seconds;
            let throttled = last.own_throttled_periods.saturating_sub(first.own_throttled_periods);
            let periods = last.own_quota_periods.saturating_sub(first.own_quota_periods);
            self.own_throttled = quota_share(throttled as f64, periods as f64, seconds);
            let faults = last.process.major_faults.saturating_sub(first.process.major_faults);
            self.major_faults_per_s = faults as f64 / seconds;
        }
        self.swapped_bytes = last.process.swapped_bytes;
    }

    /// Whether it carries nothing: no request succeeded.
    pub(crate) fn carries_nothing(&self) -> bool {
        self.throughput_per_s <= 0.0 && self.seconds >= STUCK_S
    }

    /// Whether no request came to an end, not even to a bad one.
    pub(crate) fn is_stuck(&self) -> bool {
        self.carries_nothing() && self.errors <= 0.0
    }

    /// Requests in flight that will succeed (Little's law).
    pub(crate) fn succeeding(&self) -> f64 {
        self.throughput_per_s * self.response_ms / 1e3
    }

    /// Connections that the target has accepted, and those that wait for it.
    pub(crate) fn inbound(&self) -> PeerSeen {
        let inbound = self.peers.iter().filter(|peer| peer.side == Side::Inbound);
        inbound.fold(PeerSeen::default(), PeerSeen::and)
    }

    /// The peers that the target asks, the one with the most open questions first.
    pub(crate) fn outbound(&self) -> Vec<&PeerSeen> {
        let mut outbound: Vec<&PeerSeen> = self.peers.iter().filter(|peer| peer.side == Side::Outbound).collect();
        outbound.sort_by(|a, b| b.open.total_cmp(&a.open).then(b.questions_per_s.total_cmp(&a.questions_per_s)));
        outbound
    }

    /// Questions to other services, per second.
    pub(crate) fn asked_per_s(&self) -> f64 {
        self.outbound().iter().map(|peer| peer.questions_per_s).sum()
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

    /// Threads that could run and have no core, on average.
    pub(crate) fn waiting_for_cores(&self) -> f64 {
        self.tasks.iter().fold(0.0, |sum, tasks| sum + tasks.waiting)
    }

    /// Cores used by the groups of threads that `is_meant` selects by name.
    pub(crate) fn cores_of(&self, is_meant: impl Fn(&str) -> bool) -> f64 {
        self.tasks.iter().filter(|tasks| is_meant(&tasks.group)).map(|tasks| tasks.cores).sum()
    }
}

/// Dumps with all threads, if there are any: averages with others would have too few.
fn told<'a>(dumps: &[&'a Census]) -> Vec<&'a Census> {
    let whole: Vec<&Census> = dumps.iter().copied().filter(|census| census.process.blind.is_none()).collect();
    if whole.is_empty() { dumps.to_vec() } else { whole }
}

/// The share of the periods of a CPU quota in which it was used up. Records of before the periods were counted have
/// none: most last 100 ms.
pub(super) fn quota_share(throttled: f64, periods: f64, seconds: f64) -> f64 {
    throttled / if periods > 0.0 { periods } else { seconds.max(0.1) * 10.0 }
}
