//! Objects of the heap in which asynchronous code waits: a coroutine or an operator that waits is in no thread.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::{Census, HeapLook};

use super::{
    activity::Activity,
    calls::SHARED,
    case::{Case, Queued},
    known::{self, Gives, Library},
    waits::{CALLS, HTTPCLIENT_5, SQL_QUERY, TIMERS, WAITS, WAITS_OF_THREADS, Wait, What},
};

/// The share of the requests in flight that must wait in objects of one kind for it to be the limit.
const MOST: f64 = 0.5;
/// A wait for time to pass grows with the load if it is this many times as long as all of one request alone.
const LONGER: f64 = 1.5;
/// Requests that let time pass, from which on they are known to be always as many: one may be there by chance.
const FEW_LEAST: f64 = 2.0;
/// The difference up to which their number is that by throughput.
const NEAR: f64 = 0.1;
/// Looks that it takes to tell how many objects there always are.
const LOOKS_LEAST: usize = 2;
/// Classes of the service's own whose objects are told, at most.
const OWN_MOST: usize = 2;

/// Objects by class, beyond those without load: the number that half of the looks reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectsSeen {
    more: BTreeMap<String, f64>,
    /// Classes with as many objects at each look.
    steady: BTreeSet<String>,
    looks: usize,
    /// How long the JVM stood still to count them, on average.
    pub took_ms: Option<f64>,
}

impl ObjectsSeen {
    pub(crate) fn of(censuses: &[&Census]) -> Self {
        let looks: Vec<&HeapLook> = censuses.iter().filter_map(|census| census.heap.as_ref()).collect();
        let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for objects in looks.iter().flat_map(|look| &look.grown) {
            counts.entry(&objects.class).or_default().push(objects.more);
        }
        let middle = |mut counts: Vec<u64>| {
            counts.sort_unstable_by(|a, b| b.cmp(a));
            counts.get((looks.len() - 1) / 2).copied().unwrap_or(0) as f64
        };
        let is_steady = |counts: &[u64]| counts.len() == looks.len() && counts.iter().all(|count| *count == counts[0]);
        let steady = counts.iter().filter(|(_, counts)| is_steady(counts)).map(|(class, _)| (*class).to_owned());
        let steady = steady.collect();
        let more = counts.into_iter().map(|(class, counts)| (class.to_owned(), middle(counts)));
        let took: f64 = looks.iter().map(|look| look.took.as_millis_f64()).sum();
        Self {
            more: more.filter(|(_, more)| *more > 0.0).collect(),
            steady,
            looks: looks.len(),
            took_ms: (!looks.is_empty()).then(|| took / looks.len() as f64),
        }
    }

    pub(super) fn count(&self, class: &str) -> f64 {
        self.more.get(class).copied().unwrap_or(0.0)
    }

    /// Classes of the service's own, and how many objects they have.
    fn own(&self) -> impl Iterator<Item = (&str, f64)> {
        self.more.iter().map(|(class, more)| (class.as_str(), *more)).filter(|(class, _)| known::is_own(class))
    }
}

impl Case<'_> {
    /// The queue in which most requests stand that are in no thread, as objects tell.
    pub(crate) fn queued_in_objects(&self) -> Option<Queued> {
        let (objects, in_flight) = (&self.view.full.objects, self.received());
        // Requests that call another service already have what the others wait for.
        let called = self.upstream().map_or(0.0, |upstream| upstream.peer.open.round());
        let most = (self.in_flight() - called).min(self.outside());
        let waiting = |wait: &Wait| {
            let with = wait.with.map_or(f64::INFINITY, |class| objects.count(class));
            let but = wait.but.map_or(0.0, |class| objects.count(class));
            ((objects.count(wait.class) - but) * wait.each).min(with).min(most)
        };
        let connections = self.upstream().map_or(0.0, |upstream| upstream.peer.established);
        let is_shared = |class| connections > 0.0 && objects.count(class) >= SHARED * connections;
        let is_open = |jar| self.framework().version(jar).is_some();
        let is_meant = |wait: &Wait| wait.sharing.is_none_or(is_shared) && wait.jar.is_none_or(is_open);
        let is_long = |wait: &Wait| match wait.what {
            What::Time(_) => {
                let (light, full) = (&self.view.light, &self.view.full);
                waiting(wait) / in_flight * full.response_ms >= LONGER * light.response_ms
            }
            What::Lock(_) | What::Of(_) | What::Names => true,
        };
        let is_most = |wait: &Wait| waiting(wait) >= (MOST * in_flight).max(1.0);
        let of_threads = self.view.process.blind.as_ref().map_or(&[][..], |_| WAITS_OF_THREADS);
        let mut waits = WAITS.iter().chain(of_threads);
        let found = waits.find(|wait| is_most(wait) && is_meant(wait) && is_long(wait))?;
        let what = match found.what {
            What::Lock(name) => Activity::Lock { class: name.to_owned() },
            What::Of(library) => Activity::Wants(self.of_threads(library)),
            What::Time(name) => Activity::WantsOwn(Gives::Rate, name.to_owned()),
            What::Names => Activity::Resolves { is_reverse: false },
        };
        Some(Queued {
            what,
            waiting: waiting(found),
            past: (in_flight - waiting(found)).max(0.0),
            site: self.suspended(),
            holder: None,
            place: Some(found.place.to_owned()),
            seen: u64::MAX,
            pool: None,
            is_in_objects: true,
        })
    }

    /// The blocking client of Apache where no thread of the asynchronous one is there: both have the same pool.
    fn of_threads(&self, library: &'static Library) -> &'static Library {
        let is_asynchronous = ["httpclient-dispatch-", "httpclient-main-"].iter().any(|name| self.has_threads(name));
        let is_of_both = library == &HTTPCLIENT_5 && !is_asynchronous;
        let blocking = known::LIBRARIES.iter().find(|it| is_of_both && it.name == "Apache HttpClient 5");
        blocking.unwrap_or(library)
    }

    /// Calls under way on so many connections, as objects tell, if each has several of them.
    pub(crate) fn calls_in_objects(&self, connections: f64) -> Option<f64> {
        let calls = CALLS.iter().map(|class| self.view.full.objects.count(class)).fold(0.0, f64::max);
        (calls >= SHARED * connections.max(1.0)).then_some(calls.min(self.in_flight()))
    }

    /// Whether queries of Vert.x’s SQL client are under way, or wait.
    pub(crate) fn queries(&self) -> bool {
        self.view.full.objects.count(SQL_QUERY) >= 1.0
    }

    /// Requests in flight that have come to the service: of an open load some may have no connection yet.
    fn received(&self) -> f64 {
        let full = &self.view.full;
        if full.open.is_some() { self.in_flight().min(full.inbound().established.max(1.0)) } else { self.in_flight() }
    }

    /// Calls that are under way at once, if few of the service's coroutines are at them, though most requests are in
    /// one: the others wait for their turn, and for no connection.
    pub(crate) fn few_at_calls(&self) -> Option<f64> {
        let calls = self.upstream()?.peer.established.round();
        let is_few = calls >= 1.0 && calls <= MOST * self.received();
        let is_at_calls = self.coroutines().any(|(_, count)| (count - calls).abs() < 0.5);
        (is_few && is_at_calls && self.suspended().is_some()).then_some(calls)
    }

    /// The function of the service's own in which most requests are suspended.
    pub(crate) fn suspended(&self) -> Option<String> {
        let most = self.coroutines().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (most.1 >= MOST * self.received()).then(|| function_of(most.0))
    }

    /// Whether objects were counted, and hardly any request that is in no thread has one of these classes.
    pub(crate) fn has_no_objects(&self, classes: &[&str]) -> bool {
        let objects = &self.view.full.objects;
        let count: f64 = classes.iter().map(|class| objects.count(class)).sum();
        objects.looks >= LOOKS_LEAST && count < (1.0 - MOST) * self.outside()
    }

    /// Tasks of Vert.x that run one after the other: those of one context wait for each other.
    pub(crate) fn tasks_in_order(&self) -> f64 {
        self.view.full.objects.count("io.vertx.core.impl.TaskQueue$ExecuteTask")
    }

    /// Coroutines that a dispatcher runs for others, or that wait for one of its threads (`withContext`).
    pub(crate) fn dispatched(&self) -> f64 {
        self.view.full.objects.count("kotlinx.coroutines.DispatchedCoroutine")
    }

    /// Whether some requests, but not most, let time pass in no thread, as those may which have what the others lack.
    pub(crate) fn do_some_let_time_pass(&self) -> bool {
        let some = 1.0..MOST * self.in_flight();
        TIMERS.iter().any(|class| some.contains(&self.view.full.objects.count(class)))
    }

    /// How many requests let time pass in no thread, if these are always the same few, and as many as go on at once by
    /// throughput: something lets in no more.
    pub(crate) fn few_let_time_pass(&self) -> Option<f64> {
        let (objects, at_once) = (&self.view.full.objects, self.at_once());
        let is_few = |count: f64| count >= FEW_LEAST && count <= MOST * self.in_flight();
        let is_meant = |count: &f64| is_few(*count) && (at_once - *count).abs() <= NEAR * *count;
        let is_steady = |class: &&&str| objects.looks >= LOOKS_LEAST && objects.steady.contains(**class);
        TIMERS.iter().filter(is_steady).map(|class| objects.count(class)).find(is_meant)
    }

    /// Continuations of the service's own suspended functions, by the class that Kotlin's compiler makes for each, and
    /// how many are suspended there.
    fn coroutines(&self) -> impl Iterator<Item = (&str, f64)> {
        let objects = &self.view.full.objects;
        let has_coroutines = objects.count("kotlinx.coroutines.CancellableContinuationImpl") >= 1.0;
        let is_told = has_coroutines && objects.looks >= LOOKS_LEAST;
        objects.own().filter(move |(class, _)| is_told && is_continuation(class))
    }

    /// `the heap has 64 app.Order more than without load`: classes of the service's own with about as many objects as
    /// requests wait in no thread; suspended functions if there are no others.
    pub(crate) fn own_objects(&self, waiting: f64) -> Option<String> {
        let (least, most) = (0.7 * waiting, 1.1 * self.in_flight() + 1.0);
        let objects = &self.view.full.objects;
        let mut own: Vec<_> = objects.own().filter(|(_, more)| (least.max(2.0)..=most).contains(more)).collect();
        own.sort_by(|a, b| (a.1 - waiting).abs().total_cmp(&(b.1 - waiting).abs()));
        let named = own.iter().filter(|(class, _)| !is_made_by_a_compiler(class));
        let named = named.map(|(class, more)| format!("{more} {class}"));
        let functions = own.iter().filter_map(|(class, more)| Some((class.split_once("$$Lambda")?.0, more)));
        let functions = functions.map(|(class, more)| format!("{more} functions of {class}"));
        let named: Vec<String> = named.take(OWN_MOST).collect();
        let all = if named.is_empty() { functions.take(OWN_MOST).collect() } else { named };
        (!all.is_empty()).then(|| format!("the heap has {} more than without load", all.join(" and ")))
    }
}

/// Whether a class is like `app.OrdersKt$find$1`.
fn is_continuation(class: &str) -> bool {
    class
        .rsplit_once('$')
        .filter(|(rest, number)| rest.contains('$') && !number.is_empty())
        .is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_made_by_a_compiler(class: &str) -> bool {
    class.contains("$$") || is_continuation(class)
}

/// `app.OrdersKt.find` of `app.OrdersKt$find$1`.
fn function_of(class: &str) -> String {
    let mut parts = class.split('$').filter(|part| !part.bytes().all(|byte| byte.is_ascii_digit()));
    let (class, function) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    format!("{class}.{function}")
}
