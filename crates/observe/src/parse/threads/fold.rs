//! Threads that do the same, counted together.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use plimsoll_record::{Awaited, Stack};

use super::{Object, Thread};

/// Folds threads that have the same name without its number, state, frames, and object that they wait for. Where each
/// waits for an object of its own, as for a task, its class counts. A thread that holds what others wait for stands
/// alone.
pub fn fold(threads: &[Thread]) -> Vec<Stack> {
    let mut awaited: BTreeMap<u64, usize> = BTreeMap::new();
    for object in threads.iter().filter_map(|thread| thread.awaits.as_ref()) {
        *awaited.entry(object.id).or_default() += 1;
    }
    let held: BTreeSet<u64> = threads.iter().flat_map(|thread| &thread.holds).copied().collect();
    let is_shared = |id: u64| awaited.get(&id).is_some_and(|&count| count > 1) || held.contains(&id);
    let mut stacks: Vec<Stack> = Vec::new();
    let mut holders: BTreeMap<u64, usize> = BTreeMap::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    for thread in threads {
        let holds: Vec<u64> = thread.holds.iter().copied().filter(|id| awaited.contains_key(id)).collect();
        let index = match holds.is_empty() {
            true => *known.entry(Key::of(thread, &is_shared)).or_insert(stacks.len()),
            false => stacks.len(),
        };
        match stacks.get_mut(index) {
            Some(stack) => stack.count += 1,
            None => stacks.push(stack(thread)),
        }
        holders.extend(holds.into_iter().map(|id| (id, index)));
    }
    for (index, stack) in stacks.iter_mut().enumerate() {
        if let Some(awaited) = &mut stack.awaited {
            awaited.holder = holders.get(&awaited.id).copied().filter(|&holder| holder != index);
        }
    }
    stacks
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    group: String,
    state: u8,
    is_virtual: bool,
    is_carrying: bool,
    frames: Vec<String>,
    awaits: Option<Awaits>,
}

#[derive(PartialEq, Eq, Hash)]
enum Awaits {
    Shared(u64),
    Own(String),
}

impl Key {
    fn of(thread: &Thread, is_shared: &impl Fn(u64) -> bool) -> Self {
        let awaits = |object: &Object| match is_shared(object.id) {
            true => Awaits::Shared(object.id),
            false => Awaits::Own(object.class.clone()),
        };
        Self {
            group: group(&thread.name),
            state: thread.state as u8,
            is_virtual: thread.is_virtual,
            is_carrying: thread.is_carrying,
            frames: thread.frames.clone(),
            awaits: thread.awaits.as_ref().map(awaits),
        }
    }
}

fn stack(thread: &Thread) -> Stack {
    let awaited = thread.awaits.as_ref();
    Stack {
        group: group(&thread.name),
        count: 1,
        state: thread.state,
        is_virtual: thread.is_virtual,
        is_carrying: thread.is_carrying,
        frames: thread.frames.clone(),
        awaited: awaited.map(|it| Awaited { class: it.class.clone(), id: it.id, holder: None }),
    }
}

/// A thread's name, the last number in it replaced by `*`: the number before that is the pool's.
pub fn group(name: &str) -> String {
    let name = without_request(name);
    let Some(end) = name.rfind(|letter: char| letter.is_ascii_digit()) else { return name.to_owned() };
    let (head, tail) = name.split_at(end + 1);
    format!("{}*{tail}", head.trim_end_matches(|letter: char| letter.is_ascii_digit()))
}

/// Dropwizard says in a thread's name which request it serves: `dw-43 - GET /orders/17`.
fn without_request(name: &str) -> &str {
    let is_request = |rest: &str| {
        let method = rest.split(' ').next().unwrap_or_default();
        !method.is_empty() && method.bytes().all(|letter| letter.is_ascii_uppercase()) && rest.contains(" /")
    };
    name.split_once(" - ").filter(|(_, rest)| is_request(rest)).map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::threads::threads;

    #[test]
    fn threads_that_do_the_same_are_counted_and_holders_are_known() {
        let stacks = fold(&threads(include_str!("../captured/locks-17.txt")).threads);
        let of = |group: &str| stacks.iter().filter(|stack| stack.group == group).collect::<Vec<_>>();
        let [entering] = of("entering-*")[..] else { panic!("{stacks:#?}") };
        assert_eq!(entering.count, 3);
        let [locking] = of("locking-*")[..] else { panic!("{stacks:#?}") };
        for waiting in [entering, locking] {
            let holder = waiting.awaited.as_ref().and_then(|it| it.holder).expect("known");
            assert_eq!(stacks[holder].group, "holder");
        }
        assert_eq!(of("pool-1-thread-*")[0].count, 2);
    }

    #[test]
    fn those_that_each_wait_for_a_task_of_their_own_do_the_same() {
        let waiting = |name: &str, id| Thread {
            name: name.to_owned(),
            awaits: Some(Object { id, class: "java.util.concurrent.FutureTask".to_owned() }),
            ..Thread::default()
        };
        let counts = |threads: &[Thread]| fold(threads).iter().map(|stack| stack.count).collect::<Vec<_>>();
        assert_eq!(counts(&[waiting("a-1", 1), waiting("a-2", 2), waiting("a-3", 3)]), [3]);
        assert_eq!(counts(&[waiting("a-1", 1), waiting("a-2", 2), waiting("a-3", 2)]), [1, 2]);
    }

    #[test]
    fn the_number_of_a_thread_does_not_count_that_of_its_pool_does() {
        assert_eq!(group("http-nio-8080-exec-17"), "http-nio-8080-exec-*");
        assert_eq!((group("pool-2-thread-10"), group("GC Thread#0")), ("pool-2-thread-*".into(), "GC Thread#*".into()));
        assert_eq!((group("main"), group("")), ("main".to_owned(), String::new()));
    }

    #[test]
    fn a_request_in_a_name_makes_no_group_of_its_own() {
        assert_eq!(group("dw-43 - GET /orders/17"), "dw-*");
        assert_eq!(group("dw-43"), "dw-*");
        assert_eq!(group("pool-1 - slow jobs-7"), "pool-1 - slow jobs-*");
    }
}
