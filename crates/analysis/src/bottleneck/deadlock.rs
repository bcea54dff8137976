//! Threads that wait for each other's locks, for ever.

use plimsoll_record::{Census, Stack, ThreadState};

use super::activity::{class_of, site};

/// A thread of a deadlock: the class of the lock that it waits for, and where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiter {
    pub class: String,
    pub site: Option<String>,
}

/// Threads each of which waits for a lock that the next one holds, the last one for one of the first one's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deadlock {
    pub waiters: Vec<Waiter>,
    /// Threads that wait for these, at last: they themselves, and those that wait for locks which one of them holds.
    pub held_up: f64,
}

impl Deadlock {
    /// None unless each dump tells of one.
    pub(super) fn of(dumps: &[&Census]) -> Option<Self> {
        let circles: Option<Vec<_>> = dumps.iter().map(|dump| Some((dump, circle(&dump.stacks)?))).collect();
        let (dump, circle) = circles?.pop()?;
        let all = || dump.stacks.iter().enumerate();
        let is_held_up = |index: usize| path(&dump.stacks, index).last().is_some_and(|last| circle.contains(last));
        let held_up: u32 = all().filter(|it| is_held_up(it.0)).map(|(_, stack)| stack.count).sum();
        let waiters = circle.iter().filter_map(|&index| dump.stacks.get(index));
        let waiters = waiters.map(|stack| Waiter { class: class_of(stack), site: site(stack) }).collect();
        Some(Self { waiters, held_up: f64::from(held_up) })
    }
}

/// Indices of stacks that wait for each other. A thread that holds what others wait for is one stack.
fn circle(stacks: &[Stack]) -> Option<Vec<usize>> {
    (0..stacks.len()).find_map(|start| {
        let path = path(stacks, start);
        (holder(stacks, *path.last()?) == Some(start)).then_some(path)
    })
}

/// The stacks from `start` on, each of which waits for the next one, until nobody is waited for or it goes round.
fn path(stacks: &[Stack], start: usize) -> Vec<usize> {
    let (mut path, mut last) = (vec![start], start);
    while let Some(next) = holder(stacks, last).filter(|next| !path.contains(next)) {
        path.push(next);
        last = next;
    }
    path
}

/// The stack that holds what this one waits for. A thread that waits for a while only gives up some time.
fn holder(stacks: &[Stack], index: usize) -> Option<usize> {
    let stack = stacks.get(index)?;
    let is_for_ever = matches!(stack.state, ThreadState::Blocked | ThreadState::Waiting);
    stack.awaited.as_ref().filter(|_| is_for_ever)?.holder
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Awaited;

    use super::*;

    fn waits(state: ThreadState, holder: Option<usize>) -> Stack {
        let awaited = Some(Awaited { class: "app.Account".to_owned(), holder, ..Awaited::default() });
        Stack { state, awaited, count: 1, ..Stack::default() }
    }

    #[test]
    fn a_circle_is_found_from_within_and_only_if_it_is_for_ever() {
        use ThreadState::{Blocked, TimedWaiting, Waiting};
        let chain = [waits(Blocked, Some(1)), waits(Blocked, Some(2)), Stack::default()];
        assert_eq!(circle(&chain), None);
        let circled = [waits(Blocked, Some(1)), waits(Blocked, Some(2)), waits(Waiting, Some(1))];
        assert_eq!(circle(&circled), Some(vec![1, 2]));
        let tries = [waits(Blocked, Some(1)), waits(TimedWaiting, Some(0))];
        assert_eq!(circle(&tries), None);
    }
}
