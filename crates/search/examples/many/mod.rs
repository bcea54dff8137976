//! Many searches, on all cores.

use std::thread;

/// Results of `search` on the seeds from 0 to `count`, in no particular order.
pub(crate) fn many<T: Send>(count: u64, search: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let part = |first: u64| {
            let search = &search;
            scope.spawn(move || (first..count).step_by(threads).map(search).collect::<Vec<_>>())
        };
        let parts: Vec<_> = (0..threads as u64).map(part).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
    })
}
