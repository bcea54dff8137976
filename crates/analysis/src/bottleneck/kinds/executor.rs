//! Requests wait for tasks in a pool whose threads all have work.

use super::{
    super::{
        Knob, Limit, Verdict,
        activity::{Activity, FORK_JOIN_POOL},
        case::Case,
        doing::Doing,
        framework::Words,
        known,
        pool::{COROUTINES, Pool},
        settings::{self, Named},
    },
    ceiling, semaphore,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "executor", means: "threads of an executor that others wait for", find, cleared, knob };

fn find(case: &Case) -> Option<Verdict> {
    let pool = full(case)?;
    let mut evidence = evidence(case, pool);
    let nested = nested(case, pool);
    let change = match nested {
        Some(nested) => {
            evidence.insert(1, nested);
            "Let no task of that executor wait for another one of it: give the inner ones an executor of their own, or \
             chain futures (thenCompose) in place of waiting for them. More threads only put it off."
                .to_owned()
        }
        None => format!(
            "Raise {}{}.",
            setting(case, pool).text,
            case.framework().virtual_threads().map_or("", |_| ", or use virtual threads")
        ),
    };
    Some(Verdict {
        says: format!(
            "threads of the executor “{}” ({}, {})",
            pool.name,
            pool.executor.unwrap_or("unknown"),
            number(pool.size().round())
        ),
        evidence,
        change,
    })
}

/// `8 of these threads wait for tasks themselves, in app.Orders.price`: for tasks of the same executor, as no request
/// comes to an end, nobody else is asked, and another one that is full would be the limit.
fn nested(case: &Case, pool: &Pool) -> Option<String> {
    let open = case.upstream().map_or(0.0, |upstream| case.open_questions(&upstream));
    if !case.view.full.is_stuck() || open >= 1.0 {
        return None;
    }
    let waiting = case.threads_of(&pool.name).into_iter().filter(|it| matches!(it.what, Activity::Future { .. }));
    let (waiting, place) =
        waiting.fold((0.0, None), |(sum, place), doing| (sum + doing.count, place.or_else(|| doing.place_in_full())));
    let place = place.map_or_else(String::new, |place| format!(", in {place}"));
    let said = || format!("{} of these threads wait for tasks themselves{place}", number(waiting.round()));
    (waiting >= 0.5 * pool.busy).then(said)
}

/// The beginning of the names of Vert.x's workers.
const WORKERS: &str = "vert.x-worker-thread-";

/// The verdict on tasks that run one after the other while other workers are idle: by default Vert.x runs the blocking
/// tasks of a context so, and the messages of a worker verticle.
pub(super) fn runs_in_order(case: &Case) -> Option<Verdict> {
    let at_once = semaphore::let_in(case)?;
    let front = case.front();
    let are_queued = case.tasks_in_order() >= 2.0 * at_once;
    let pool = front.first().filter(|pool| are_queued || pool.name.starts_with(WORKERS))?;
    let mut evidence = vec![few_work(case, at_once, pool, "threads")];
    evidence.extend(ceiling::of(case, at_once));
    Some(Verdict {
        says: format!("tasks of “{}” that run one after the other ({} at a time)", pool.name, number(at_once)),
        evidence,
        change: "Let tasks run in any order (executeBlocking(task, false)), or deploy more instances of the verticle: \
                 those of one context wait for each other."
            .to_owned(),
    })
}

/// The part by which requests that tasks carry may differ from those that threads account for.
const ROUGHLY: f64 = 0.35;

/// The verdict on tasks of which a pool runs few at a time, though it has idle threads: messages of one consumer, or of
/// one actor. Requests wait for them in threads.
pub(super) fn runs_few(case: &Case) -> Option<Verdict> {
    let waiting = case.waiting_for_others();
    let is_other = |pool: &&Pool| !pool.is_loop && !case.is_front(pool);
    let carried = case.view.full.throughput_per_s * case.view.light.response_ms / 1e3;
    let is_meant = |pool: &&Pool| {
        let at_once = pool.busy.round();
        let is_few = at_once >= 1.0 && pool.idle >= 1.0 && waiting >= 1.5 * at_once;
        is_few && (carried - at_once).abs() <= ROUGHLY * at_once && case.works_always(pool, at_once)
    };
    let is_most = waiting >= 2.0 && waiting >= 0.5 * case.in_threads();
    let pool = case.pools.values().filter(is_other).find(is_meant).filter(|_| is_most)?;
    let at_once = pool.busy.round();
    let place = case.threads_of(&pool.name).into_iter().find_map(Doing::place_in_full);
    let mut evidence = vec![format!(
        "{} of {} threads have work at nearly each look{}; {} requests wait for it to be done",
        number(at_once),
        number(pool.all().round()),
        place.map_or_else(String::new, |place| format!(", in {place}")),
        number(waiting.round())
    )];
    evidence.extend(ceiling::of(case, at_once));
    Some(Verdict {
        says: format!("tasks of “{}” that run few at a time ({})", pool.name, number(at_once)),
        evidence,
        change: "Let more of them run at once: the pool has idle threads. One consumer, actor or queue runs its tasks \
                 one after the other: have several, or one for each key."
            .to_owned(),
    })
}

/// `5 of 9 threads have work at nearly each look, and 59 of 64 requests in flight wait for one`.
fn few_work(case: &Case, at_once: f64, pool: &Pool, threads: &str) -> String {
    format!(
        "{} of {} {threads} have work at nearly each look, and {} of {} requests in flight wait for one",
        number(at_once),
        number(pool.all().round()),
        number(case.outside().round()),
        number(case.in_flight().round())
    )
}

/// The share of the requests without a thread that must be coroutines which a dispatcher is to run.
const DISPATCHED: f64 = 0.5;

/// The verdict on a dispatcher of coroutines that may have few of the threads that are there (`limitedParallelism`).
pub(super) fn limits_parallelism(case: &Case) -> Option<Verdict> {
    let at_once = semaphore::let_in(case)?;
    let front = case.front();
    let is_dispatched = case.dispatched() >= (DISPATCHED * case.outside()).max(1.0);
    let pool = front.first().filter(|pool| is_dispatched && pool.name.starts_with(COROUTINES.0))?;
    let mut evidence = vec![
        few_work(case, at_once, pool, &format!("threads of “{}”", pool.name)),
        format!("{} coroutines are in `withContext`", number(case.dispatched())),
    ];
    evidence.extend(ceiling::of(case, at_once));
    Some(Verdict {
        says: format!("a dispatcher of coroutines with limited parallelism ({})", number(at_once)),
        evidence,
        change:
            "Raise the parallelism of that dispatcher, where it is made (limitedParallelism of kotlinx.coroutines)."
                .to_owned(),
    })
}

/// The framework's setting if the threads have the name of its own executor's.
fn setting(case: &Case, pool: &Pool) -> Named {
    let text = match case.framework().words() {
        _ if pool.executor == Some(FORK_JOIN_POOL) => {
            "the parallelism of that pool, where it is made (new ForkJoinPool)"
        }
        Some(Words::SpringBoot) => {
            "the size of that pool, where it is made (ThreadPoolTaskExecutor.setCorePoolSize, \
             Executors.newFixedThreadPool; spring.task.execution.pool.core-size of Spring’s own)"
        }
        _ => "the size of that pool, where it is made (Executors.newFixedThreadPool, ThreadPoolExecutor)",
    };
    let own = || Named { text: text.to_owned(), names: Vec::new() };
    settings::of_threads(&pool.name, case.framework()).unwrap_or_else(own)
}

/// The pool that has no idle thread, while requests, in threads that serve them or in none, wait for more tasks than it
/// can run.
pub(crate) fn full<'a>(case: &'a Case) -> Option<&'a Pool> {
    let pools = case.pools.values().filter(|pool| !pool.is_loop && pool.is_full());
    // A thread that accepts connections always looks busy, and no task waits for it.
    let pools = pools.filter(|pool| !known::accepts(&pool.name) && !has_work_of_its_own(case, pool));
    // A pool that serves requests itself is another kind of limit, unless others hand requests on to it.
    let others = pools.filter(|pool| {
        case.hands_on() && pool.server.is_none()
            || !case.is_front(pool)
            || front_that_waits(case).is_some_and(|(front, _)| front.name != pool.name)
    });
    // A pool whose tasks wait for those of another comes after that one.
    let is_last = |pool: &Pool| {
        let waits = case.threads_of(&pool.name).into_iter().filter(|it| matches!(it.what, Activity::Future { .. }));
        waits.map(|doing| doing.count).sum::<f64>() < 0.5 * pool.busy
    };
    let most = others.max_by(|a, b| is_last(a).cmp(&is_last(b)).then(a.busy.total_cmp(&b.busy)))?;
    let waiting = wanted(case);
    // Where all that have a thread wait for it, so do at last those that have none.
    let is_deeper = case.waiting_for_others() >= 0.8 * case.in_threads().max(1.0);
    (waiting >= 1.3 * most.busy && (waiting >= 0.3 * case.served_at_once() || is_deeper)).then_some(most)
}

/// Whether its threads do the same work at rest, as those of scheduled tasks that are always late.
fn has_work_of_its_own(case: &Case, pool: &Pool) -> bool {
    if case.view.is_stuck() {
        return false;
    }
    let at_rest = || case.view.rest.threads.iter().filter(|doing| doing.group == pool.name);
    let waits = |what: &Activity| matches!(what, Activity::Idle | Activity::Waits(_) | Activity::WantsOwn(..));
    let goes_on = |doing: &Doing| case.view.full.threads.iter().any(|it| it.is_like(doing));
    let works: f64 = at_rest().filter(|doing| !waits(&doing.what) && goes_on(doing)).map(|doing| doing.count).sum();
    works >= 0.5 && works >= 0.8 * at_rest().map(|doing| doing.count).sum::<f64>()
}

/// The pool that has the requests, and how many of its threads wait for an answer, if the process has another server:
/// behind a gateway to its own gRPC service the threads of that are an executor.
fn front_that_waits<'a>(case: &'a Case) -> Option<(&'a Pool, f64)> {
    let front = case.front();
    let first = *front.first().filter(|first| front.len() >= 2 && !first.is_full())?;
    let waits = case.threads_of(&first.name).into_iter().filter(|doing| doing.what.is_for_others());
    let waits: f64 = waits.map(|doing| doing.count).sum();
    (waits >= 0.5 * first.busy && waits >= 0.5).then_some((first, waits))
}

/// Requests that wait for a task of theirs, whether queued or under way.
pub(super) fn wanted(case: &Case) -> f64 {
    // Threads to which requests were handed on are an executor themselves, whatever they wait for.
    let waits = case.waiting_for_others();
    if waits >= 0.5 && !case.hands_on() {
        return waits;
    }
    if let Some((_, waits)) = front_that_waits(case) {
        return waits;
    }
    // Calls under way for which no thread waits belong to no task.
    let called = case.upstream().map_or(0.0, |upstream| upstream.peer.open);
    let calling = case.working(|what| matches!(what, Activity::Calls { .. }));
    let in_no_task = (called - calling).max(0.0);
    // Where requests are handed on, they are tasks.
    let under_way = if case.hands_on() { case.in_threads() } else { 0.0 };
    (case.outside() - in_no_task).max(0.0) + under_way
}

pub(super) fn evidence(case: &Case, pool: &Pool) -> Vec<String> {
    let waiting = wanted(case);
    let mut all = vec![format!(
        "{} of {} threads have work at each look; {} requests wait for it to be done, of which {} are queued",
        number(pool.busy),
        number(pool.size()),
        number(waiting.round()),
        number((waiting - pool.busy).max(0.0).round())
    )];
    all.extend(ceiling::of(case, pool.size().round()));
    all
}

/// The busiest of the others that has idle threads.
fn cleared(case: &Case) -> Option<String> {
    let is_meant = |pool: &&Pool| pool.executor.is_some() && pool.server.is_none() && !pool.is_virtual;
    let pools = case.pools.values().filter(is_meant).filter(|pool| pool.busy >= 0.5 && !pool.is_full());
    let pool = pools.max_by(|a, b| a.busy.total_cmp(&b.busy))?;
    Some(format!("executor “{}”: {} of {} busy", pool.name, number(pool.busy.round()), number(pool.size().round())))
}

fn knob(case: &Case) -> Option<Knob> {
    let pool = full(case).filter(|pool| nested(case, pool).is_none())?;
    Some(Knob::sized(setting(case, pool).names, pool.size(), wanted(case)))
}
