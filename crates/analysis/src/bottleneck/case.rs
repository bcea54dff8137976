//! A case to be decided: what was seen, put together so that each kind of limit can say whether it is the one.

use std::collections::BTreeMap;

use plimsoll_record::{ExplainPlan, metric::jvm};

use super::{
    activity::Activity,
    doing::{Doing, count},
    frames::CHILD,
    framework::Framework,
    hot,
    known::{self, Gives},
    pool::{Pool, pools},
    view::View,
};

/// A queue counts from this share of the requests on.
const NOTABLE: f64 = 0.2;
/// The share of errors by which full load may exceed one request at a time by chance.
const ERRORS_MORE: f64 = 0.02;
/// Least share of the dumps in which somebody stands in a lasting queue.
const LASTING: f64 = 0.6;
/// Threads without a core, as a share of the users, from which on they are where requests are.
const QUEUED: f64 = 0.1;
/// Cores that other processes use, as a share of those that the target may have, from which on it lacks them.
const OTHERS: f64 = 0.2;
/// Least share of the threads past a queue that always stand in the next one.
const DEEPER: f64 = 0.25;
/// The least share of a closed load's users with a request in flight, if none of them is starved.
const NEARLY_ALL: f64 = 0.8;
/// The share of the CPU in use from which on it is full.
const FULL: f64 = 0.92;
/// The same, where most requests wait for a core: a hypervisor, or the generator, has the rest.
const FULL_WHILE_QUEUED: f64 = 0.8;

/// A case to be decided.
pub(crate) struct Case<'a> {
    pub view: &'a View,
    /// Cores of the machine.
    pub machine_cores: f64,
    /// How to ask for more load, in a sentence.
    pub more: &'static str,
    /// Threads with work, without those that do the same at rest.
    pub busy: Vec<Doing>,
    /// Groups of threads by name.
    pub pools: BTreeMap<String, Pool>,
}

/// The queue that is the deepest.
#[derive(Clone, Debug)]
pub(crate) struct Queued {
    pub what: Activity,
    /// Threads that stand in it, on average.
    pub waiting: f64,
    /// Threads that are past it.
    pub past: f64,
    /// The place in the service from which most of them come.
    pub site: Option<String>,
    /// Activity and site of the one that holds what they wait for.
    pub holder: Option<(Activity, Option<String>)>,
    /// The library's frame in which they wait.
    pub place: Option<String>,
    /// A bit for each dump in which somebody stood there.
    pub seen: u64,
    /// The pool whose threads stand in it; none of those that serve requests.
    pub pool: Option<String>,
    /// Whether requests stand in it that are in no thread.
    pub is_in_objects: bool,
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
        let mut case = Self { view, machine_cores, more, busy, pools };
        case.name_own_queues();
        case
    }

    /// The framework that the service is made with.
    pub(crate) const fn framework(&self) -> Framework<'_> {
        Framework::of(&self.view.process)
    }

    /// Requests in flight.
    pub(crate) fn in_flight(&self) -> f64 {
        self.view.full.in_flight.max(1e-9)
    }

    /// Requests that go on at once if each takes as long as one alone does (Little's law).
    pub(crate) fn at_once(&self) -> f64 {
        self.view.full.throughput_per_s * self.view.light.response_ms / 1e3
    }

    /// The number of requests of which shares are taken: all in flight; of an open load those in threads, since the
    /// backlog before these grows for as long as the load lasts.
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
        let by_busy = self.pools.values().filter(|pool| pool.busy >= 0.5 && !pool.is_loop);
        by_busy.max_by(|a, b| a.busy.total_cmp(&b.busy)).into_iter().collect()
    }

    /// Whether a pool is one of those whose threads serve requests.
    pub(crate) fn is_front(&self, pool: &Pool) -> bool {
        self.front().iter().any(|front| front.name == pool.name)
    }

    /// The name of the threads of the server that is seen at work, as [`known::SERVERS`] has it.
    pub(crate) fn threads_of_server(&self) -> Option<&'static str> {
        let index = self.front().first()?.server?;
        known::SERVERS.get(index).map(|it| it.1)
    }

    /// Threads that serve requests, by what they do.
    pub(crate) fn served(&self) -> Vec<&Doing> {
        self.serving_of(&self.busy)
    }

    /// The threads out of `busy` that serve requests.
    pub(crate) fn serving_of<'b>(&self, busy: &'b [Doing]) -> Vec<&'b Doing> {
        let front: Vec<&str> = self.front().iter().map(|pool| pool.name.as_str()).collect();
        busy.iter().filter(|doing| front.contains(&doing.group.as_str())).collect()
    }

    /// Whether the process has threads whose name begins so, with work or without.
    pub(crate) fn has_threads(&self, name: &str) -> bool {
        self.view.full.threads.iter().any(|doing| doing.group.starts_with(name))
    }

    /// How many threads that serve requests do what `is_meant` selects.
    pub(crate) fn serving(&self, is_meant: impl Fn(&Activity) -> bool) -> f64 {
        count(self.served(), |doing| is_meant(&doing.what))
    }

    /// The same for all threads with work, whether they serve requests or not.
    pub(crate) fn working(&self, is_meant: impl Fn(&Activity) -> bool) -> f64 {
        count(&self.busy, |doing| is_meant(&doing.what))
    }

    /// How many threads that serve requests wait for what another thread computes.
    pub(crate) fn waiting_for_others(&self) -> f64 {
        self.serving(|what| matches!(what, Activity::Future { .. }))
    }

    /// How many threads serve requests and have one.
    pub(crate) fn in_threads(&self) -> f64 {
        count(self.served(), |_| true)
    }

    /// Whether at most looks the threads that serve requests and are meant are just `size`, as if so many requests were
    /// let in at once.
    pub(crate) fn serves_always(&self, size: f64, is_meant: impl Fn(&Doing) -> bool) -> bool {
        self.is_always(size, |busy| count(self.serving_of(busy), &is_meant))
    }

    /// Whether at most looks just `size` threads of a pool have work.
    pub(crate) fn works_always(&self, pool: &Pool, size: f64) -> bool {
        self.is_always(size, |busy| count(busy, |doing| doing.group == pool.name))
    }

    /// Whether at most looks a number of the threads with work is `size`.
    fn is_always(&self, size: f64, number: impl Fn(&[Doing]) -> f64) -> bool {
        let is_same = |threads: &&Vec<Doing>| (number(&self.view.busy(threads)) - size).abs() < 0.5;
        let each = &self.view.full.each;
        each.len() >= 3 && each.iter().filter(is_same).count() as f64 >= LASTING * each.len() as f64
    }

    /// Requests in flight that no thread has.
    pub(crate) fn outside(&self) -> f64 {
        (self.in_flight() - self.in_threads()).max(0.0)
    }

    /// The queue that is the deepest: behind it nothing of note waits.
    pub(crate) fn queued(&self) -> Option<Queued> {
        let is_notable = |waiting: f64| {
            let is_half = waiting >= self.most_waiting();
            waiting >= NOTABLE * self.in_flight() || is_half && !self.has_threads_left()
        };
        self.deepest_of(&self.served(), is_notable)
    }

    /// The deepest queue in which threads stand, if enough of them stand in it or in those before it.
    fn deepest_of(&self, doings: &[&Doing], is_notable: impl Fn(f64) -> bool) -> Option<Queued> {
        let mut queues = self.queues(doings);
        let waiting = queues.iter().map(|queued| queued.waiting).sum();
        queues.pop().filter(|queued| is_notable(waiting) && queued.waiting >= 0.5 && self.is_lasting(queued))
    }

    /// The queues in which threads stand, the deepest last: of the threads past one queue, enough stand in the next.
    pub(crate) fn queues(&self, doings: &[&Doing]) -> Vec<Queued> {
        let mut past: f64 = doings.iter().map(|doing| doing.count).sum();
        let mut chain: Vec<Queued> = Vec::new();
        for queued in self.before_connections(queues(doings), past) {
            let is_deeper = chain.last().is_none_or(|found| {
                let holds = found.holder.as_ref().is_some_and(|(what, _)| *what == queued.what);
                holds
                    || queued.waiting >= f64::max(0.5, 0.5 * past)
                    || queued.waiting >= f64::max(2.0, DEEPER * past) && self.is_lasting(&queued)
            });
            if is_deeper {
                past -= queued.waiting;
                chain.push(Queued { past, ..queued });
            }
        }
        chain
    }

    /// Puts the queue for a client's connections last, if there are as many connections as threads past all queues (out
    /// of `all` threads): then threads in other queues have none yet.
    fn before_connections(&self, mut queues: Vec<Queued>, all: f64) -> Vec<Queued> {
        let past_all = all - queues.iter().map(|queued| queued.waiting).sum::<f64>();
        let is_pool = |queued: &Queued| queued.what.gives() == Some(Gives::ClientConnections);
        let Some(place) = queues.iter().position(is_pool) else { return queues };
        let past_it = all - queues[place].waiting;
        if self.connections(past_all).is_some() && self.connections(past_it).is_none() {
            let pool = queues.remove(place);
            queues.push(pool);
        }
        queues
    }

    /// Whether a queue is seen in most dumps: otherwise its resource is not always busy.
    pub(crate) fn is_lasting(&self, queued: &Queued) -> bool {
        f64::from(queued.seen.count_ones()) >= LASTING * self.view.full.dumps.min(64) as f64
    }

    /// Whether most requests have not been read though threads that would serve them are idle: the reader is late.
    fn has_threads_left(&self) -> bool {
        let idle: f64 = self.front().iter().map(|pool| pool.idle).sum();
        self.view.full.inbound().unread >= 0.5 * self.in_flight() && idle >= self.in_threads().max(1.0)
    }

    /// Half of the threads that serve requests.
    fn most_waiting(&self) -> f64 {
        0.5 * self.in_threads()
    }

    /// The deepest queue of a pool's threads.
    pub(crate) fn queued_in(&self, pool: &str) -> Option<Queued> {
        let doings = self.threads_of(pool);
        let all: f64 = doings.iter().map(|doing| doing.count).sum();
        let deepest = self.deepest_of(&doings, |waiting| waiting >= NOTABLE * all);
        deepest.map(|queued| Queued { pool: Some(pool.to_owned()), ..queued })
    }

    /// Threads of a pool that have work.
    pub(crate) fn threads_of(&self, pool: &str) -> Vec<&Doing> {
        self.busy.iter().filter(|doing| doing.group == pool).collect()
    }

    /// Threads that stand in a queue or are past it.
    pub(crate) fn threads_at(&self, queued: &Queued) -> Vec<&Doing> {
        queued.pool.as_ref().map_or_else(|| self.served(), |pool| self.threads_of(pool))
    }

    /// Whether requests were handed on to the pools that have work: by event loops, or by a server's threads, none of
    /// which has a request.
    pub(crate) fn hands_on(&self) -> bool {
        let is_served = self.pools.values().any(|pool| pool.server.is_some());
        let hands_on = |doing: &Doing| doing.is_loop || doing.server.is_some_and(known::lets_go);
        !is_served && self.view.full.threads.iter().any(hands_on)
    }

    /// Share of the machine's CPU in use.
    pub(crate) fn machine_share(&self) -> f64 {
        self.view.full.machine_percent.unwrap_or(0.0) / (self.machine_cores * 100.0)
    }

    /// The share of its CPU that the target uses.
    pub(crate) fn target_share(&self) -> f64 {
        self.view.full.cpu_percent.unwrap_or(0.0) / (self.view.full.cores.max(0.01) * 100.0)
    }

    /// Whether the target uses all the cores that it may have.
    pub(crate) fn fills_its_cores(&self) -> bool {
        // Threads that wait for a child process wait for its CPU, where such processes use most of it.
        let at_children = self.serving(|what| *what == Activity::Outside(CHILD));
        let at_children = hot::gone(&self.view.full).map_or(0.0, |_| at_children);
        let is_queued = self.waiting_for_cores() + at_children >= 0.5 * self.in_flight();
        self.target_share() >= if is_queued { FULL_WHILE_QUEUED } else { FULL }
    }

    /// Whether no core is left.
    pub(crate) fn is_cpu_full(&self) -> bool {
        self.machine_share() >= FULL || self.fills_its_cores()
    }

    /// Threads that could run and have no core, on average.
    pub(crate) fn waiting_for_cores(&self) -> f64 {
        self.view.full.waiting_for_cores()
    }

    /// Whether requests lack a core: none is left, and no more than half of them wait in threads for something else. A
    /// machine that other processes keep busy does not hold back a service that waits for a lock.
    pub(crate) fn lacks_cores(&self) -> bool {
        let (waiting, used) = (self.waiting_for_cores(), self.view.full.cpu_percent.unwrap_or(0.0) / 100.0);
        let queue = waiting / self.in_flight();
        let others = self.view.full.others_percent().unwrap_or(0.0) / (self.machine_cores * 100.0);
        // If other processes keep the machine busy, the target's threads must be seen to wait for cores.
        let is_held_back = (waiting >= 1.0 && queue >= 0.25) || (waiting >= 0.8 && waiting >= used) || others < 0.25;
        let is_queued = self.is_queued_elsewhere() || self.stuck() >= 0.5 && queue < 0.25;
        // At least one thread, on average, could run all the time.
        let could_run = waiting + used >= 0.8;
        self.fills_its_cores() || self.is_cpu_full() && could_run && is_held_back && !is_queued
    }

    /// Whether requests wait for something that is no core, in no thread that serves them.
    fn is_queued_elsewhere(&self) -> bool {
        self.is_queued_in_no_thread() || self.stops_accepting() || self.are_loops_blocked()
    }

    /// Whether asynchronous code waits for its turn: for connections, or for what the service itself has few of.
    fn is_queued_in_no_thread(&self) -> bool {
        self.is_full_of_calls() || self.queued_in_objects().is_some() || self.few_at_calls().is_some()
    }

    /// Whether most threads of event loops wait for something else than events.
    fn are_loops_blocked(&self) -> bool {
        let loops = || self.view.full.threads.iter().filter(|doing| doing.is_loop);
        let waits = loops().filter(|doing| !matches!(doing.what, Activity::Idle | Activity::Runs));
        let (waiting, all) = (waits.map(|it| it.count).sum::<f64>(), loops().map(|it| it.count).sum::<f64>());
        all > 0.0 && waiting >= 0.5 * all
    }

    /// The share of requests in threads that wait there for something else than a core.
    fn stuck(&self) -> f64 {
        let runs = self.working(|what| *what == Activity::Runs);
        // Threads that wait for others lack what these lack.
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

    /// Whether other processes take the cores that the target may have: its threads could run, yet do not fill them.
    pub(crate) fn is_crowded_out(&self) -> bool {
        let full = &self.view.full;
        let used = full.cpu_percent.unwrap_or(0.0) / 100.0;
        let waiting = self.waiting_for_cores();
        let wants = waiting >= 1.0 && waiting >= 4.0 * used && !self.is_queued_elsewhere();
        let is_still = self.target_share() < 0.7 && self.stuck() < 0.5;
        // Calls take longer, too, where the threads that read answers have no core.
        let others = full.others_percent().unwrap_or(0.0) / (full.cores.max(0.01) * 100.0);
        let is_queued =
            waiting >= QUEUED * self.connections_wanted() && others >= OTHERS && self.target_share() < 1.0 - OTHERS;
        wants && (is_still || is_queued)
    }

    /// Whether connections wait to be accepted, while the thread that would accept them waits for something else.
    pub(crate) fn stops_accepting(&self) -> bool {
        let waits = |doing: &Doing| match &doing.what {
            Activity::Waits(class) if class.contains("LimitLatch") || class.contains("ConnectionLimit") => true,
            Activity::Idle | Activity::Runs => false,
            _ => doing.is_acceptor && doing.count >= 0.5,
        };
        self.view.full.inbound().unaccepted >= 0.8 && self.view.full.threads.iter().any(waits)
    }

    /// Whether it is an open load, and the target carries it. Then nothing gives way, whatever is busy.
    pub(crate) fn carries(&self) -> bool {
        let (light, full) = (&self.view.light, &self.view.full);
        !self.fails_more() && full.open.is_some_and(|open| open.is_carried(light.response_ms))
    }

    /// Whether the requests of a closed load take no longer than one alone, and no user is starved: then no request
    /// stands in a queue, whatever background work does.
    pub(crate) fn is_at_ease(&self) -> bool {
        let full = &self.view.full;
        let all_end = |users: u32| full.is_pausing || full.in_flight >= NEARLY_ALL * f64::from(users);
        full.users.is_some_and(all_end) && self.fills_nothing()
    }

    /// Whether the load fills nothing: requests take no longer than one alone, and no more of them fail.
    pub(crate) fn fills_nothing(&self) -> bool {
        if self.view.full.open.is_some() {
            return self.carries();
        }
        self.takes_no_longer() && !self.fails_more()
    }

    /// Whether requests take hardly longer than one alone.
    pub(crate) fn takes_no_longer(&self) -> bool {
        let (light, full) = (&self.view.light, &self.view.full);
        light.response_ms > 0.0 && !full.carries_nothing() && full.response_ms <= 1.3 * light.response_ms
    }

    /// Whether a greater share of requests fails than one at a time.
    pub(crate) fn fails_more(&self) -> bool {
        self.view.full.errors > self.view.light.errors + ERRORS_MORE
    }
}

/// The queues in which threads stand, the longest first. A shorter one comes before a longer one whose threads it has
/// let in; one for what a pool hands out, before one for a lock.
fn queues(doings: &[&Doing]) -> Vec<Queued> {
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
                pool: None,
                is_in_objects: false,
            }),
        }
    }
    queues.sort_by(|a, b| b.waiting.total_cmp(&a.waiting));
    let let_in_by = |what: &Activity| doings.iter().find(|doing| doing.what == *what)?.let_in_by.map(Activity::Wants);
    for longer in 0..queues.len() {
        let before = let_in_by(&queues[longer].what).and_then(|what| queues.iter().position(|it| it.what == what));
        if let Some(shorter) = before.filter(|&shorter| shorter > longer) {
            let shorter = queues.remove(shorter);
            queues.insert(longer, shorter);
        }
    }
    if let Some(lock) = queues.iter().position(|queued| matches!(queued.what, Activity::Lock { .. }))
        && let Some(pool) = (lock + 1..queues.len()).find(|&shorter| is_before(&queues[shorter], &queues[lock]))
    {
        queues[lock..=pool].rotate_right(1);
    }
    queues
}

/// Threads that a pool lets wait, from which on they are more than one.
const SEVERAL: f64 = 1.5;

/// Whether threads stand in a pool's queue before they come to that for a lock: several cannot have the lock.
fn is_before(pool: &Queued, lock: &Queued) -> bool {
    let hands_out = pool.what.gives().is_some_and(|gives| gives != Gives::Rate);
    let is_held_by_one = lock.holder.as_ref().is_some_and(|(what, _)| *what == pool.what);
    hands_out && pool.waiting >= SEVERAL && !is_held_by_one
}
