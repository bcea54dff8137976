//! Some servers and one queue, first come, first served. Since the work of each request is known when it comes, so are
//! the instants at which it starts and ends (Lindley's recursion): nothing has to be woken up.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use plimsoll_record::Nanos;

use super::Present;

/// The queue and its servers.
pub struct Queue {
    /// Instant at which each server will have done all it was given; none if servers are not limited.
    free_at: Option<BinaryHeap<Reverse<Nanos>>>,
    /// When those start that wait: ascending, as the first come are the first served.
    starts: VecDeque<Nanos>,
    /// When those end that wait or are served.
    ends: BinaryHeap<Reverse<Nanos>>,
}

impl Queue {
    /// A queue with so many servers, at least one.
    pub fn new(servers: Option<u32>) -> Self {
        let free_at = servers.map(|count| (0..count).map(|_| Reverse(Nanos::ZERO)).collect());
        Self { free_at, starts: VecDeque::new(), ends: BinaryHeap::new() }
    }

    /// Takes in a request that came at `now` with so much `work`. Returns when it starts.
    pub fn admit(&mut self, now: Nanos, work: Nanos) -> Nanos {
        self.forget(now);
        let mut start = now;
        if let Some(mut first_free) = self.free_at.as_mut().and_then(BinaryHeap::peek_mut) {
            start = now.max(first_free.0);
            *first_free = Reverse(start + work);
        }
        if start > now {
            self.starts.push_back(start);
        }
        self.ends.push(Reverse(start + work));
        start
    }

    /// Requests that are there at `now`.
    pub fn present(&mut self, now: Nanos) -> Present {
        self.forget(now);
        let waiting = self.starts.len();
        Present { waiting: waiting as u64, in_service: (self.ends.len() - waiting) as u64 }
    }

    fn forget(&mut self, now: Nanos) {
        while self.starts.pop_front_if(|start| *start <= now).is_some() {}
        while self.ends.peek().is_some_and(|end| end.0 <= now) {
            self.ends.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
    use rand_distr::{Distribution, Exp};

    use super::*;

    /// The probability of having to wait with `servers` that are offered so many of them to keep busy (Erlang C).
    fn erlang_c(servers: u32, offered: f64) -> f64 {
        let blocked = (1..=servers).fold(1.0, |b, k| offered * b / (f64::from(k) + offered * b));
        let busy = offered / f64::from(servers);
        blocked / (1.0 - busy * (1.0 - blocked))
    }

    #[test]
    fn waits_are_those_of_erlang_c() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for (servers, busy) in [(1, 0.5), (1, 0.8), (4, 0.8), (20, 0.9)] {
            let (service_ns, requests) = (1e9, 2_000_000);
            let per_ns = busy * f64::from(servers) / service_ns;
            let (mut queue, mut now_ns) = (Queue::new(Some(servers)), 0.0);
            let (mut waited_ns, mut waiting) = (0.0, 0);
            for _ in 0..requests {
                now_ns += Exp::new(per_ns).unwrap().sample(&mut random);
                let work_ns: f64 = Exp::new(1.0 / service_ns).unwrap().sample(&mut random);
                let now = Nanos(now_ns as u64);
                let wait = queue.admit(now, Nanos(work_ns as u64)) - now;
                waited_ns += wait.0 as f64;
                waiting += u32::from(wait > Nanos::ZERO);
            }
            let offered = busy * f64::from(servers);
            let expected = erlang_c(servers, offered);
            let found = f64::from(waiting) / f64::from(requests);
            assert!((found / expected - 1.0).abs() < 0.02, "M/M/{servers} at {busy}: {found} wait, not {expected}");
            let expected_ns = expected * service_ns / (f64::from(servers) - offered);
            let found_ns = waited_ns / f64::from(requests);
            assert!((found_ns / expected_ns - 1.0).abs() < 0.05, "M/M/{servers}: {found_ns} for {expected_ns}");
        }
    }

    proptest! {
        /// Against a simulation that does it the slow way: each server in turn, second by second.
        #[test]
        fn it_is_first_come_first_served(
            servers in 1..5_u32,
            requests in prop::collection::vec((0..20_u64, 0..30_u64), 1..60),
        ) {
            let mut queue = Queue::new(Some(servers));
            let mut free_at = vec![0_u64; servers as usize];
            let (mut now, mut last_start, mut all) = (0, Nanos::ZERO, Vec::new());
            for (pause, work) in requests {
                now += pause;
                let start = queue.admit(Nanos(now), Nanos(work));
                let server = (0..free_at.len()).min_by_key(|&server| free_at[server]).unwrap();
                let expected = now.max(free_at[server]);
                free_at[server] = expected + work;
                prop_assert_eq!(start.0, expected);
                prop_assert!(start >= last_start, "nobody is overtaken");
                last_start = start;
                all.push((start.0, start.0 + work));
                let present = queue.present(Nanos(now));
                let waiting = all.iter().filter(|(start, _)| *start > now).count() as u64;
                let served = all.iter().filter(|(start, end)| *start <= now && *end > now).count() as u64;
                prop_assert_eq!(present, Present { waiting, in_service: served });
                prop_assert!(served <= u64::from(servers));
            }
        }

        #[test]
        fn without_a_limit_nobody_waits(arrivals in prop::collection::vec(0..100_u64, 1..50)) {
            let (mut queue, mut now) = (Queue::new(None), 0);
            for pause in arrivals {
                now += pause;
                prop_assert_eq!(queue.admit(Nanos(now), Nanos(1_000)), Nanos(now));
            }
            prop_assert_eq!(queue.present(Nanos(now)).waiting, 0);
        }
    }
}
