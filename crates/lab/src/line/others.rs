//! Other processes of the machine beside a search, which go on and on: said early, since whoever waits may end them.

use plimsoll_observe::{Busy, ForeignUsed};
use plimsoll_text::{joined, number::in_full};

/// Share of the machine, in percent, above which they are told: that of the finding `foreign-cpu`.
const TOLD_PERCENT: f64 = 10.0;
/// Looks in a row, about one a second, that must find such a share: brief use does not matter.
const LASTING: u32 = 5;

/// Looks at them so far.
#[derive(Debug, Default)]
pub(super) struct Others {
    in_a_row: u32,
    has_told: bool,
}

impl Others {
    /// Takes in a look. Returns what to say of them, once.
    pub fn add(&mut self, used: &ForeignUsed) -> Option<String> {
        self.in_a_row = if used.percent > TOLD_PERCENT { self.in_a_row + 1 } else { 0 };
        let is_news = self.in_a_row >= LASTING && !std::mem::replace(&mut self.has_told, self.in_a_row >= LASTING);
        is_news.then(|| said(used))
    }
}

fn said(used: &ForeignUsed) -> String {
    let percent = |percent| in_full(percent, 2);
    let name = |it: &Busy| format!("{} (process {}) {} %", it.name, it.pid, percent(it.percent));
    let names: Vec<String> = used.busiest.iter().map(name).collect();
    let names = if names.is_empty() { String::new() } else { format!(": {}", joined(&names)) };
    format!(
        "other processes use {} % of this machine{names}; unless they belong to the service, the load line is that of \
         what they leave, and the search takes longer",
        percent(used.percent)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(percent: f64) -> ForeignUsed {
        let busy = |pid, name: &str, percent| Busy { pid, name: name.to_owned(), percent };
        ForeignUsed { percent, busiest: vec![busy(71, "yes", 40.2), busy(72, "cc1", 7.0)] }
    }

    #[test]
    fn others_that_go_on_are_told_once_by_name_and_number() {
        let mut others = Others::default();
        let told: Vec<String> =
            [9.0, 50.0, 9.0].iter().chain([48.3; 12].iter()).filter_map(|&it| others.add(&used(it))).collect();
        assert_eq!(
            told,
            ["other processes use 48 % of this machine: yes (process 71) 40 % and cc1 (process 72) 7 %; unless they \
              belong to the service, the load line is that of what they leave, and the search takes longer"]
        );
    }

    #[test]
    fn others_that_come_and_go_are_not_told() {
        let mut others = Others::default();
        assert!((0..40).all(|second| others.add(&used(if second % 4 == 0 { 5.0 } else { 90.0 })).is_none()));
    }
}
