//! A case to be decided: what was seen, put together so that each kind of limit can say whether it is the one.

use std::collections::BTreeMap;

use plimsoll_record::{ExplainPlan, metric::jvm};

use super::{
    activity::Activity,
    framework::Framework,
    known::{self, EVENT_LOOPS},
    settings::{self, Named},
    view::{Doing, PeerSeen, View},
};

/// A resource waits are for counts from this share of the requests on.
const NOTABLE: f64 = 0.2;
/// Errors under full load beyond those of one request at a time, as a share of requests, that are due to chance.
const ERRORS_MORE: f64 = 0.02;
/// Least share of the dumps in which somebody stands in a lasting queue.
const LASTING: f64 = 0.6;
/// CPU in use of all there is, from which on it is full.
const FULL: f64 = 0.92;
/// By how much the holders of connections may differ from the connections.
const ALIKE: f64 = 0.1;
/// Idle threads of a pool that is always busy: as a share of its threads, and in number.
const IDLE_MOST: f64 = 0.04;

/// A case to be decided.
pub(crate) struct Case<'a> {
    pub view: &'a View,
    /// Cores of the machine.
    pub machine_cores: f64,
    /// How to ask for more load, in a sentence.
    pub more: &'static str,
    /// Threads with work that they do not have at rest.
    pub busy: Vec<Doing>,
    /// Groups of threads by name.
    pub pools: BTreeMap<String, Pool>,
}

/// Threads of one name under full load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    pub name: String,
    pub busy: f64,
    pub idle: f64,
    /// Index into the known servers, if its threads serve requests.
    pub server: Option<usize>,
    pub is_virtual: bool,
    pub executor: Option<&'static str>,
}

/// The queue that is the deepest.
#[derive(Clone, Debug)]
pub(crate) struct Queued {
    pub what: Activity,
    /// Threads that stand in it, on average.
    pub waiting: f64,
    /// Threads that are past it.
    pub past: f64,
    /// Where most of them come from.
    pub site: Option<String>,
    /// Activity and site of the one that holds what they wait for.
    pub holder: Option<(Activity, Option<String>)>,
    /// The library's frame in which they wait.
    pub place: Option<String>,
    /// A bit for each dump in which somebody stood there.
    pub seen: u64,
}

impl<'a> Case<'a> {
    pub(crate) fn new(view: &'a View, machine_cores: f64, plan: &ExplainPlan) -> Self {
        let busy = view.busy(&view.full.threads);
        let pools = pools(view, &busy);
        let more = match plan {
            ExplainPlan { of, .. } if !of.is_empty() => "Offer more, at a higher level.",
            ExplainPlan { load: Some(_), .. } => "Ask for more with --rate.",
            ExplainPlan { users: Some(_), .. } => "Ask for more with -c, or leave it out.",
            _ => "Ask for more with --max-users.",
        };
        Self { view, machine_cores, more, busy, pools }
    }

    /// The framework that the service is made with.
    pub(crate) const fn framework(&self) -> Framework<'_> {
        Framework::of(&self.view.process)
    }

    /// Requests in flight.
    pub(crate) fn in_flight(&self) -> f64 {
        self.view.full.in_flight.max(1e-9)
    }

    /// Requests that wait in the service, by which a share of them is told: of an open load that is not carried those
    /// before its threads are the more the longer it lasts.
    pub(crate) fn served_at_once(&self) -> f64 {
        let in_threads = self.in_threads();
        if self.view.full.open.is_some() && in_threads >= 1.0 {
            in_threads.min(self.in_flight())
        } else {
            self.in_flight()
        }
    }

    /// Connections that the load has at most: one for each user, or for each request of an open load.
    pub(crate) fn connections_wanted(&self) -> f64 {
        self.view.full.users.map_or_else(|| self.in_flight(), f64::from)
    }

    /// The pools whose threads serve requests; where none is known, those whose threads are busy.
    pub(crate) fn front(&self) -> Vec<&Pool> {
        let mut serving: Vec<&Pool> = self.pools.values().filter(|pool| pool.server.is_some()).collect();
        serving.retain(|pool| !known::HAND_ON.iter().any(|word| pool.name.contains(word)));
        serving.sort_by(|a, b| b.size().total_cmp(&a.size()));
        if !serving.is_empty() {
            return serving;
        }
        let by_busy = self.pools.values().filter(|pool| pool.busy >= 0.5 && !is_event_loop(&pool.name));
        by_busy.max_by(|a, b| a.busy.total_cmp(&b.busy)).into_iter().collect()
    }

    /// Threads that serve requests, by what they do.
    pub(crate) fn served(&self) -> Vec<&Doing> {
        self.serving_of(&self.busy)
    }

    /// Threads, of some, that serve requests.
    pub(crate) fn serving_of<'b>(&self, busy: &'b [Doing]) -> Vec<&'b Doing> {
        let front: Vec<&str> = self.front().iter().map(|pool| pool.name.as_str()).collect();
        busy.iter().filter(|doing| front.contains(&doing.group.as_str())).collect()
    }

    /// How many of them do what is meant.
    pub(crate) fn serving(&self, is_meant: impl Fn(&Activity) -> bool) -> f64 {
        let meant = self.served().into_iter().filter(|doing| is_meant(&doing.what));
        meant.fold(0.0, |sum, doing| sum + doing.count)
    }

    /// Threads that serve requests and have one.
    pub(crate) fn in_threads(&self) -> f64 {
        self.served().iter().fold(0.0, |sum, doing| sum + doing.count)
    }

    /// Requests in flight that no thread has.
    pub(crate) fn outside(&self) -> f64 {
        (self.in_flight() - self.in_threads()).max(0.0)
    }

    /// The queue that is the deepest: behind it nothing of note waits.
    pub(crate) fn queued(&self) -> Option<Queued> {
        queues(&self.served())
            .pop()
            .filter(|queued| queued.waiting >= NOTABLE * self.in_flight() || queued.waiting >= self.most_waiting())
            .filter(|queued| queued.waiting >= 0.5 && self.is_lasting(queued))
    }

    /// Queues that are seen now and then are not lasting: their resource is not always busy.
    pub(crate) fn is_lasting(&self, queued: &Queued) -> bool {
        f64::from(queued.seen.count_ones()) >= LASTING * self.view.full.dumps.min(64) as f64
    }

    /// Half of the threads that serve requests.
    fn most_waiting(&self) -> f64 {
        0.5 * self.in_threads()
    }

    /// The same in another pool.
    pub(crate) fn queued_in(&self, pool: &str) -> Option<Queued> {
        let doings: Vec<&Doing> = self.busy.iter().filter(|doing| doing.group == pool).collect();
        let all: f64 = doings.iter().map(|doing| doing.count).sum();
        queues(&doings).pop().filter(|queued| queued.waiting >= 0.5 * all && self.is_lasting(queued))
    }

    /// Share of the machine's CPU in use.
    pub(crate) fn machine_share(&self) -> f64 {
        self.view.full.machine_percent.unwrap_or(0.0) / (self.machine_cores * 100.0)
    }

    /// Share of the CPU in use that the target may have.
    pub(crate) fn target_share(&self) -> f64 {
        self.view.full.cpu_percent.unwrap_or(0.0) / (self.view.full.cores.max(0.01) * 100.0)
    }

    /// Whether the target uses all the cores that it may have.
    pub(crate) fn fills_its_cores(&self) -> bool {
        self.target_share() >= FULL
    }

    /// Whether no core is left.
    pub(crate) fn is_cpu_full(&self) -> bool {
        self.machine_share() >= FULL || self.fills_its_cores()
    }

    /// Threads that could run and have no core, on average.
    pub(crate) fn waiting_for_cores(&self) -> f64 {
        self.view.full.tasks.iter().fold(0.0, |sum, tasks| sum + tasks.waiting)
    }

    /// Whether connections to one peer are all in use, and far fewer than there are requests, of which most are in no
    /// thread: a client that waits in none has no more connections.
    pub(crate) fn is_full_of_calls(&self) -> bool {
        let Some(upstream) = self.upstream() else { return false };
        let peer = upstream.peer;
        let is_full = peer.open >= 0.8 * peer.established && peer.established >= 0.8;
        let is_few = peer.established <= 0.6 * self.in_flight() && self.in_flight() - peer.established >= 2.0;
        let is_steady = f64::from(peer.established_most) <= 1.2 * peer.established + 0.5;
        let is_quick = upstream.grows().is_none_or(|grows| grows < 1.6);
        let is_read = self.view.full.inbound().unread < 0.3 * self.in_flight();
        let in_no_thread = self.in_threads() < 0.4 * self.in_flight();
        // A client that blocks has a thread for each of its calls.
        let calling = self.busy.iter().filter(|doing| matches!(doing.what, Activity::Calls { .. }));
        let in_no_thread = in_no_thread && calling.map(|doing| doing.count).sum::<f64>() < 0.5 * peer.open;
        in_no_thread && is_read && is_full && is_few && is_steady && is_quick
    }

    /// Whether a core is what requests lack: none is left, and no more than half of them wait in threads for something
    /// else. A machine that others keep busy need not hold back a service that waits for a lock.
    pub(crate) fn lacks_cores(&self) -> bool {
        let (waiting, used) = (self.waiting_for_cores(), self.view.full.cpu_percent.unwrap_or(0.0) / 100.0);
        let queue = waiting / self.in_flight();
        let others = self.view.full.others_percent().unwrap_or(0.0) / (self.machine_cores * 100.0);
        // Where others keep the machine busy, that its threads wait for cores must be seen.
        let is_held_back = (waiting >= 1.0 && queue >= 0.25) || (waiting >= 0.8 && waiting >= used) || others < 0.25;
        let is_queued = self.is_full_of_calls() || self.are_loops_blocked() || self.stuck() >= 0.5 && queue < 0.25;
        // As much as a single thread that always could run.
        let could_run = waiting + used >= 0.8;
        self.fills_its_cores() || self.is_cpu_full() && could_run && is_held_back && !is_queued
    }

    /// Whether most threads of event loops wait for something else than events.
    fn are_loops_blocked(&self) -> bool {
        let loops = || self.view.full.threads.iter().filter(|doing| is_event_loop(&doing.group));
        let waits = loops().filter(|doing| !matches!(doing.what, Activity::Idle | Activity::Runs));
        let (waiting, all) = (waits.map(|it| it.count).sum::<f64>(), loops().map(|it| it.count).sum::<f64>());
        all > 0.0 && waiting >= 0.5 * all
    }

    /// The share of requests in threads that wait there for something else than a core.
    fn stuck(&self) -> f64 {
        let runs: f64 = self.busy.iter().filter(|doing| doing.what == Activity::Runs).map(|doing| doing.count).sum();
        // Threads that wait for others want what these want.
        let is_stuck = |what: &Activity| match what {
            Activity::Runs => false,
            Activity::Future { .. } => runs < 1.0,
            _ => true,
        };
        self.serving(is_stuck) / self.in_threads().max(1.0)
    }

    /// Share of the time in which the JVM stood still to collect garbage.
    pub(crate) fn gc_share(&self) -> f64 {
        let ms = self.view.full.watched.growth(jvm::GC_MS.name).unwrap_or(0.0);
        ms / (self.view.full.seconds.max(1e-9) * 1e3)
    }

    /// Cores that collect garbage.
    pub(crate) fn gc_cores(&self) -> f64 {
        self.view.full.cores_of(known::is_collector)
    }

    /// The peer on which most answers are waited for, and how long one takes fully and lightly loaded.
    pub(crate) fn upstream(&self) -> Option<Upstream<'_>> {
        let peer = self.view.full.outbound().into_iter().find(|peer| peer.questions_per_s > 0.5 || peer.open >= 0.5)?;
        let light = self.view.light.outbound_to(peer);
        let calls = light.map(|it| it.questions_per_s / self.view.light.throughput_per_s.max(1e-9));
        // Connections that are made for each call come and go between two looks: threads are all seen.
        let in_threads = self.serving(|what| matches!(what, Activity::Calls { .. } | Activity::Connects));
        let by_threads = || {
            let rate = self.view.full.throughput_per_s * calls.filter(|&calls| calls > 0.1)?;
            (in_threads >= 0.5 && rate > 0.0).then(|| in_threads / rate * 1e3)
        };
        Some(Upstream {
            peer,
            full_ms: by_threads().or_else(|| peer.call_ms()),
            light_ms: light.and_then(PeerSeen::call_ms),
            calls: calls.unwrap_or_else(|| peer.questions_per_s / self.view.full.throughput_per_s.max(1e-9)),
        })
    }

    /// Connections of a pool, where as many are open to the peer as threads have one.
    pub(crate) fn connections(&self, holding: f64) -> Option<f64> {
        let established = self.upstream()?.peer.established;
        ((holding - established).abs() <= f64::max(1.0, ALIKE * established)).then_some(established)
    }

    /// Whether others take the cores that the target may have: its threads could run, and it does not fill its cores.
    pub(crate) fn is_crowded_out(&self) -> bool {
        let used = self.view.full.cpu_percent.unwrap_or(0.0) / 100.0;
        let waiting = self.waiting_for_cores();
        waiting >= 1.0
            && waiting >= 4.0 * used
            && self.target_share() < 0.7
            && self.stuck() < 0.5
            && !self.is_full_of_calls()
    }

    /// Whether it is an open load, and the target carries it. Then nothing gives way, whatever is busy.
    pub(crate) fn carries(&self) -> bool {
        let (light, full) = (&self.view.light, &self.view.full);
        full.errors <= light.errors + ERRORS_MORE && full.open.is_some_and(|open| open.is_carried(light.response_ms))
    }

    /// Whether the load finds nothing full: throughput grew with users to the end.
    pub(crate) fn scales(&self) -> bool {
        let (light, full) = (&self.view.light, &self.view.full);
        if full.open.is_some() {
            return self.carries();
        }
        light.response_ms > 0.0 && full.response_ms <= 1.3 * light.response_ms
    }
}

/// Calls to the peer that is asked the most.
pub(crate) struct Upstream<'a> {
    pub peer: &'a PeerSeen,
    pub full_ms: Option<f64>,
    pub light_ms: Option<f64>,
    /// For each request, lightly loaded.
    pub calls: f64,
}

impl Upstream<'_> {
    /// How much longer a call takes under full load.
    pub(crate) fn grows(&self) -> Option<f64> {
        Some(self.full_ms? / self.light_ms.filter(|&ms| ms > 0.0)?)
    }
}

impl Pool {
    /// Whether its threads have all work, all the time.
    pub(crate) fn is_full(&self) -> bool {
        !self.is_virtual && self.busy >= 0.8 && self.idle <= f64::max(0.34, IDLE_MOST * (self.busy + self.idle))
    }

    pub(crate) fn size(&self) -> f64 {
        self.busy + self.idle
    }

    /// Its name for people, and the setting of its size.
    pub(crate) fn title(&self, framework: Framework) -> (String, Named) {
        let server = self.server.and_then(|index| known::SERVERS.get(index)).map(|(_, name)| *name);
        let own = || Named { text: "the size of that pool, where it is made".to_owned(), names: Vec::new() };
        let by_name = || settings::of_threads(&self.name, framework);
        let setting = server.and_then(|name| settings::of(name, framework)).or_else(by_name).unwrap_or_else(own);
        (server.map_or_else(|| format!("threads “{}”", self.name), ToOwned::to_owned), setting)
    }
}

pub(crate) fn is_event_loop(group: &str) -> bool {
    EVENT_LOOPS.iter().any(|name| group.contains(name))
}

fn pools(view: &View, busy: &[Doing]) -> BTreeMap<String, Pool> {
    let mut pools: BTreeMap<String, Pool> = BTreeMap::new();
    for doing in busy {
        let pool = pools.entry(doing.group.clone()).or_default();
        pool.busy += doing.count;
        pool.server = pool.server.or(doing.server).filter(|_| !is_event_loop(&doing.group));
        // Carriers are not its threads, but what runs on them.
        pool.is_virtual |= doing.is_virtual || doing.is_carrying;
        pool.executor = pool.executor.or(doing.executor);
    }
    for doing in view.full.threads.iter().filter(|doing| doing.what == Activity::Idle) {
        if let Some(pool) = pools.get_mut(&doing.group) {
            pool.idle += doing.count;
        }
    }
    pools.into_iter().map(|(name, pool)| (name.clone(), Pool { name, ..pool })).collect()
}

/// The queues in which threads stand, the deepest last: of the threads that are past one most may stand in another.
pub(crate) fn queues(doings: &[&Doing]) -> Vec<Queued> {
    let mut queues: Vec<Queued> = Vec::new();
    for doing in doings.iter().filter(|doing| doing.what.is_queued()) {
        match queues.iter_mut().find(|queued| queued.what == doing.what) {
            Some(queued) => {
                queued.waiting += doing.count;
                queued.seen |= doing.seen;
                queued.holder = queued.holder.take().or_else(|| doing.holder.clone());
            }
            None => queues.push(Queued {
                what: doing.what.clone(),
                waiting: doing.count,
                past: 0.0,
                site: doing.site.clone(),
                holder: doing.holder.clone(),
                place: doing.place.clone(),
                seen: doing.seen,
            }),
        }
    }
    queues.sort_by(|a, b| b.waiting.total_cmp(&a.waiting));
    let mut past: f64 = doings.iter().map(|doing| doing.count).sum();
    let mut chain: Vec<Queued> = Vec::new();
    for queued in queues {
        let is_deeper = chain.last().is_none_or(|found| {
            let holds = found.holder.as_ref().is_some_and(|(what, _)| *what == queued.what);
            holds || queued.waiting >= 0.5 && queued.waiting >= 0.5 * past
        });
        if is_deeper {
            past -= queued.waiting;
            chain.push(Queued { past, ..queued });
        }
    }
    chain
}
