//! Network namespaces of a target: its processes may be in several, of which it listens in one.

use std::path::PathBuf;

/// A process of each namespace of `pids`, which has parents before their children: the deepest of each, the deepest of
/// all first. Once the target was seen to listen in the namespace `kept`, only the process of that one.
pub(super) fn one_of_each(
    pids: &[i32],
    kept: Option<&PathBuf>,
    namespace_of: impl Fn(i32) -> Option<PathBuf>,
) -> Vec<i32> {
    let (mut namespaces, mut chosen) = (Vec::new(), Vec::new());
    for &pid in pids.iter().rev() {
        let Some(namespace) = namespace_of(pid) else { continue };
        if kept == Some(&namespace) {
            return vec![pid];
        }
        if !namespaces.contains(&namespace) {
            namespaces.push(namespace);
            chosen.push(pid);
        }
    }
    // Another user's namespaces are not told.
    if chosen.is_empty() { pids.last().copied().into_iter().collect() } else { chosen }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell, the JVM that it has started in a namespace, and a browser in its own.
    fn namespace_of(pid: i32) -> Option<PathBuf> {
        let name = match pid {
            1 => "machine",
            2..=4 => "service",
            5 | 6 => "browser",
            _ => return None,
        };
        Some(name.into())
    }

    #[test]
    fn every_namespace_is_looked_into_the_deepest_first() {
        assert_eq!(one_of_each(&[1, 2, 3, 5, 6], None, namespace_of), [6, 3, 1]);
        assert_eq!(one_of_each(&[1, 2, 3, 7], None, namespace_of), [3, 1], "of one that has ended nothing is told");
    }

    #[test]
    fn the_one_in_which_the_target_listens_is_kept() {
        let kept = Some(PathBuf::from("service"));
        assert_eq!(one_of_each(&[1, 2, 3, 5, 6], kept.as_ref(), namespace_of), [3]);
        assert_eq!(one_of_each(&[1, 2, 5, 6, 4], kept.as_ref(), namespace_of), [4]);
        assert_eq!(one_of_each(&[1, 5], kept.as_ref(), namespace_of), [5, 1], "it is gone");
    }

    #[test]
    fn where_no_namespace_is_told_it_is_the_deepest_process() {
        assert_eq!(one_of_each(&[7, 8], None, namespace_of), [8]);
        assert_eq!(one_of_each(&[], None, namespace_of), [0; 0]);
    }
}
