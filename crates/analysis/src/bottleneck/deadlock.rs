//! Threads that wait for each other's locks, for ever.

use plimsoll_record::{Census, Stack, ThreadState};

use super::activity::{class_of, site};

/// A thread of a deadlock: the class of the lock that it waits for, and where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiter {
    pub class: String,
    pub site: Option<String>,
}

/// Threads each of which waits for a lock that the next one holds, the last one for one of the first one's; none unless
/// each dump tells of some.
pub(super) fn of(dumps: &[&Census]) -> Option<Vec<Waiter>> {
    let mut found: Option<Vec<Waiter>> = None;
    for dump in dumps {
        let waiter = |&index: &usize| {
            let stack = &dump.stacks[index];
            Waiter { class: class_of(stack), site: site(stack) }
        };
        found = Some(circle(&dump.stacks)?.iter().map(waiter).collect());
    }
    found
}

/// Indices of stacks that wait for each other. A thread that holds what others wait for is one stack.
fn circle(stacks: &[Stack]) -> Option<Vec<usize>> {
    let holder = |index: usize| {
        let stack: &Stack = stacks.get(index)?;
        // A thread that waits for a while only gives up some time.
        let is_for_ever = matches!(stack.state, ThreadState::Blocked | ThreadState::Waiting);
        stack.awaited.as_ref().filter(|_| is_for_ever)?.holder
    };
    (0..stacks.len()).find_map(|start| {
        let mut path = vec![start];
        while let Some(next) = holder(*path.last()?) {
            if next == start {
                return Some(path);
            }
            // A circle that this one only leads to is found from within.
            if path.contains(&next) {
                return None;
            }
            path.push(next);
        }
        None
    })
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
