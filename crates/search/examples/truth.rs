//! Shares beyond the criterion of a simulated server next to its line: by how much they are what is allowed.
//!
//! `truth SYSTEM RATE ARRIVALS`

use std::env;

use plimsoll_search::testing::{Server, strangers, systems};
use rand::{SeedableRng, rngs::SmallRng};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, rate, count] = arguments.as_slice() else { return eprintln!("usage: truth SYSTEM RATE ARRIVALS") };
    let (Ok(mut rate), Ok(count)) = (rate.parse::<f64>(), count.parse::<f64>()) else { return eprintln!("no numbers") };
    let Some(system) = strangers().into_iter().chain(systems()).find(|it| it.name == name) else { return };
    let mut step = 1.1_f64;
    let mut before = None;
    // Bisection by the sign of the excess, steps that halve.
    while step > 1.0015 {
        let mut server = Server::new(system.service.clone(), 1);
        let mut rng = SmallRng::seed_from_u64(2);
        let (mut at, mut beyond) = (600.0, 0.0);
        for arrived in 0..count as u64 {
            at += system.arrivals.gap(rate, arrived, &mut rng);
            let done = server.request(at);
            let is_late = system.criterion.limit.is_some_and(|limit| done.at - at > limit);
            beyond += f64::from(u8::from(!done.is_ok || is_late));
        }
        let excess = beyond / count / system.criterion.share;
        println!("{name}: {rate:.1}/s {excess:.3}");
        let is_above = excess > 1.0;
        if before.is_some_and(|before| before != is_above) {
            step = step.sqrt();
        }
        before = Some(is_above);
        rate *= if is_above { 1.0 / step } else { step };
    }
}
