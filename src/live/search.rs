//! A search for a load line under way, in a line.

use plimsoll_lab::line::{Offered, Standing};
use plimsoll_record::{Amount, LoadUnit};
use plimsoll_text::{count, counted, number::in_full};

use super::clock;

/// Places on the axis of what is offered, which ends a little above the capacity.
const PLACES: usize = 20;

/// `trial 5: 1,840/s  load line 1,760 – 1,905/s`.
pub fn in_short(standing: &Standing) -> String {
    let line = line(standing).map_or_else(String::new, |line| format!("  load line {line}"));
    match standing.offered {
        Offered::Users(users) => {
            format!("capacity: {}, {} req/s", counted(users.into(), "user"), count(standing.succeeded_per_s.into()))
        }
        Offered::Overload { rate_per_s } => {
            format!("overload of {}/s, then its recovery{line}", in_full(rate_per_s, 4))
        }
        Offered::Trial { number, load } => format!("trial {number}: {}{line}", amount(load, 4)),
    }
}

/// `0:52  trial 5: 1,840/s, 42 % of error budget  ········━━━━◆━━━━···  1,760 – 1,905/s, ≤ 2:10 left`: the
/// interval as it narrows, with the rate of the trial in it.
pub fn in_full_width(standing: &Standing) -> String {
    let elapsed = clock(standing.elapsed);
    let Offered::Trial { number, load } = standing.offered else {
        return format!("{elapsed}  {}", in_short(standing));
    };
    let used = standing.share_of_allowed.map_or_else(String::new, |used| format!(", {} error budget", part(used)));
    let axis = axis(standing, load.number).map_or_else(String::new, |axis| format!("  {axis}"));
    let line = line(standing).map_or_else(String::new, |line| format!("  {line}"));
    let left = standing.left.map_or_else(String::new, |left| format!(", ≤ {} left", clock(left)));
    format!("{elapsed}  trial {number}: {}{used}{axis}{line}{left}", amount(load, 4))
}

/// `42 % of`, or `3.1 times`.
fn part(of_budget: f64) -> String {
    if of_budget < 2.0 {
        format!("{} % of", in_full(of_budget * 100.0, 2))
    } else {
        format!("{} times", in_full(of_budget, 2))
    }
}

fn line(standing: &Standing) -> Option<String> {
    let high = |number| amount(Amount { number, unit: standing.unit }, 3);
    standing.range.map(|(low, upper)| format!("{} – {}", in_full(low, 3), high(upper)))
}

/// `1,840/s`, or `1,840 users`.
fn amount(Amount { number, unit }: Amount, digits: i32) -> String {
    let unit = if unit == LoadUnit::PerSecond { "/s" } else { " users" };
    format!("{}{unit}", in_full(number, digits))
}

fn axis(standing: &Standing, load: f64) -> Option<String> {
    let ((low, high), most) = standing.range.zip(standing.most)?;
    let place = |load: f64| ((load / most * PLACES as f64) as usize).min(PLACES - 1);
    let (from, to, offered) = (place(low), place(high), place(load));
    let sign = |at: usize| match at {
        at if at == offered => '◆',
        at if (from..=to).contains(&at) => '━',
        _ => '·',
    };
    Some((0..PLACES).map(sign).collect())
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;

    fn standing(offered: Offered) -> Standing {
        Standing {
            offered,
            elapsed: Nanos::from_secs(52),
            range: Some((1_500.0, 1_900.0)),
            succeeded_per_s: 1_830,
            share_of_allowed: Some(0.42),
            unit: LoadUnit::PerSecond,
            most: Some(2_240.0),
            left: Some(Nanos::from_secs(130)),
        }
    }

    #[test]
    fn a_trial_is_seen_within_the_interval() {
        let trial = standing(Offered::Trial { number: 5, load: Amount { number: 1_840.0, unit: LoadUnit::PerSecond } });
        let shown = in_full_width(&trial);
        assert_eq!(
            shown,
            "0:52  trial 5: 1,840/s, 42 % of error budget  ·············━━━◆···  1,500 – 1,900/s, ≤ 2:10 left"
        );
        let at = |share| in_full_width(&Standing { share_of_allowed: Some(share), ..trial.clone() });
        assert!(at(0.0).contains("/s, 0 % of error budget  ") && at(3.12).contains("/s, 3.1 times error budget  "));
        assert_eq!(in_short(&trial), "trial 5: 1,840/s  load line 1,500 – 1,900/s");
        let load = Amount { number: 1_840.0, unit: LoadUnit::VirtualUsers };
        let users = Standing { offered: Offered::Trial { number: 5, load }, unit: LoadUnit::VirtualUsers, ..trial };
        assert_eq!(in_short(&users), "trial 5: 1,840 users  load line 1,500 – 1,900 users");
        let beyond = Standing { range: Some((10.0, 9_000.0)), ..trial };
        assert!(in_full_width(&beyond).contains(&"━".repeat(15)));
    }

    #[test]
    fn before_the_first_trial_there_is_no_interval() {
        let probe = Standing { range: None, most: None, ..standing(Offered::Users(64)) };
        assert_eq!(in_full_width(&probe), "0:52  capacity: 64 users, 1,830 req/s");
    }
}
