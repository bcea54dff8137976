//! An explanation under way, in a line.

use plimsoll_lab::explain::ExplainProgress;
use plimsoll_record::{LoadUnit, Window};
use plimsoll_text::number::in_full;

use super::clock;

/// `explained fully loaded: 64 users, 397 req/s`.
pub fn in_short(progress: &ExplainProgress) -> String {
    format!("explained {}", load(progress))
}

/// `0:12  fully loaded: 64 users, 397 req/s`.
pub fn in_full_width(progress: &ExplainProgress) -> String {
    format!("{}  {}", clock(progress.elapsed), load(progress))
}

fn load(progress: &ExplainProgress) -> String {
    let window = match progress.window {
        None => "capacity",
        Some(Window::Rest) => "at rest",
        Some(Window::Light) => "lightly loaded",
        Some(Window::Full) => "fully loaded",
    };
    let offered = match progress.offered.unit {
        LoadUnit::VirtualUsers => plimsoll_text::counted(progress.offered.number as u64, "user"),
        LoadUnit::PerSecond => format!("{}/s", in_full(progress.offered.number, 4)),
    };
    format!("{window}: {offered}, {} req/s", in_full(progress.succeeded_per_s as f64, 4))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Amount, Nanos};

    use super::*;

    #[test]
    fn users_and_rates_are_told_apart() {
        let offered = Amount { number: 64.0, unit: LoadUnit::VirtualUsers };
        let elapsed = Nanos::from_secs(12);
        let full = ExplainProgress { offered, succeeded_per_s: 397, elapsed, window: Some(Window::Full) };
        assert_eq!(in_full_width(&full), "0:12  fully loaded: 64 users, 397 req/s");
        let offered = Amount { number: 1_400.0, unit: LoadUnit::PerSecond };
        assert_eq!(in_short(&ExplainProgress { offered, ..full }), "explained fully loaded: 1,400/s, 397 req/s");
    }
}
