//! Recovery: after its line is known a service is overloaded for a moment, then offered less than it carries, and the
//! time is taken until it keeps its objectives again. One that never does is in a metastable failure (Bronson,
//! Aghayev, Charapko, Zhu: Metastable Failures in Distributed Systems, HotOS 2021): what it does because it is late
//! keeps it late.

use crate::{Answer, Criterion, SLOT, Slot};

/// The overload, as a multiple of the interval's upper end: surely more than the service carries.
pub const OVERLOAD: f64 = 1.3;
/// How long the overload lasts, in seconds.
pub const OVERLOAD_S: f64 = 5.0;
/// The rate after it, as a part of the interval's lower end.
pub const AFTER: f64 = 0.9;
/// How long recovery is awaited, in seconds. At a capacity C and an interval from L to U the overload leaves a queue of
/// `5 (1.3 U - C)`, which shrinks by `C - 0.9 L` a second: with C ≥ L and U ≤ 1.1 L it is gone after 22 s.
pub const PATIENCE_S: f64 = 30.0;
/// Slots in which the objectives must hold.
const WINDOW: usize = 20;

/// The rate of the overload and the one after it, in requests per second; none if the line is not known from both
/// sides, since 1.3 times what is known need not be an overload then.
pub fn rates(answer: &Answer) -> Option<(f64, f64)> {
    let (lower, upper) = (answer.lower?.rate, answer.upper?.rate);
    Some((OVERLOAD * upper, AFTER * lower))
}

/// Seconds from the end of the overload, which took the first `overload` slots, to the first two seconds whose requests
/// keep the criteria; none if there are no such in `slots`.
pub fn recovered_after(slots: &[Slot], criteria: &[Criterion], overload: usize) -> Option<f64> {
    let keeps = |window: &[Slot]| {
        let offered: u32 = window.iter().map(|slot| slot.offered).sum();
        let is_within = |(index, criterion): (usize, &Criterion)| {
            let beyond: u32 = window.iter().map(|slot| slot.beyond[index]).sum();
            // Rounded up, so that one request may be beyond where the share allows less than one.
            f64::from(beyond) <= (criterion.share * f64::from(offered)).ceil()
        };
        // Nothing is known of a window in which nobody asked.
        offered > 0 && criteria.iter().enumerate().all(is_within)
    };
    let after = slots.get(overload..)?;
    after.windows(WINDOW).position(keeps).map(|slot| slot as f64 * SLOT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        End, Outcome,
        testing::{Server, Service, System, systems},
    };

    fn system(name: &str) -> System {
        systems().into_iter().find(|system| system.name == name).expect("it is there")
    }

    /// Seconds until a simulated server has recovered from an overload of evenly spaced requests.
    fn overload(service: Service, criterion: Criterion, line: f64) -> Option<f64> {
        let mut server = Server::new(service, 7);
        let mut slots = vec![Slot { offered: 0, beyond: vec![0] }; ((OVERLOAD_S + PATIENCE_S) / SLOT) as usize];
        let mut at = 0.0;
        while at < OVERLOAD_S + PATIENCE_S {
            let done = server.request(at);
            let slot = &mut slots[((at / SLOT) as usize).min(349)];
            slot.offered += 1;
            slot.beyond[0] += u32::from(!done.is_ok || criterion.limit.is_some_and(|limit| done.at - at > limit));
            at += 1.0 / (line * if at < OVERLOAD_S { OVERLOAD } else { AFTER });
        }
        recovered_after(&slots, &[criterion], (OVERLOAD_S / SLOT) as usize)
    }

    #[test]
    fn a_plain_queue_recovers_when_it_has_been_served() {
        let plain = system("M/M/8");
        // 5 s of 174 a second too many, served by 126 a second that are free, but for those that are within 100 ms.
        let after = overload(plain.service, plain.criterion, plain.line).expect("it recovers");
        assert!((5.0..9.0).contains(&after), "{after}");
    }

    #[test]
    fn a_server_whose_lateness_makes_it_slower_does_not() {
        // An overload of 5 s makes requests about a second late.
        let metastable = system("metastable");
        let service = |late| Service { slow_when_late: Some((late, 1.5)), ..metastable.service.clone() };
        assert_eq!(overload(service(0.5), metastable.criterion, metastable.line), None);
        assert!(overload(service(2.0), metastable.criterion, metastable.line).is_some(), "nothing was that late");
    }

    #[test]
    fn a_service_that_refuses_what_is_too_much_recovers_at_once() {
        let limited = system("rate limit");
        let after = overload(limited.service, limited.criterion, limited.line).expect("it recovers");
        assert!(after <= 1.0, "{after}");
    }

    #[test]
    fn a_line_known_from_one_side_is_not_overloaded() {
        let end = |rate| Some(End { rate, seconds: 30.0, pressure: 0.5, dispersion: None });
        let mut answer = Answer { outcome: Outcome::Found, lower: end(100.0), upper: end(121.0) };
        let (overload, after) = rates(&answer).expect("both sides");
        assert!((overload - 157.3).abs() < 1e-9 && (after - 90.0).abs() < 1e-9);
        answer.upper = None;
        assert_eq!(rates(&answer), None);
    }
}
