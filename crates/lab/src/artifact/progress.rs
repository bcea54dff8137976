//! Progress of a build in words.

use std::time::Duration;

use plimsoll_record::Making;
use plimsoll_text::number::clock;

use super::stage;

/// A build under way.
pub(super) struct Progress<'a> {
    name: &'a str,
    is_native: bool,
    last_time: Option<Making>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(name: &'a str, is_native: bool, last_time: Option<Making>) -> Self {
        Self { name, is_native, last_time }
    }

    /// Its announcement.
    pub(super) fn beginning(&self) -> String {
        let (name, last) = (self.name, self.last());
        match (self.is_native, last) {
            (true, Some(last)) => format!("building a native image of {name} (once; the last one took {last})…"),
            (true, None) => format!("building a native image of {name} (once; this takes minutes)…"),
            (false, Some(last)) => format!("building {name} with Maven (once; the last time it took {last})…"),
            (false, None) => {
                format!("building {name} with Maven (once; the first time it downloads what it needs)…")
            }
        }
    }

    /// How far it has come after this time, with this output.
    pub(super) fn line(&self, elapsed: Duration, output: &str) -> String {
        let stage = stage::now(output).map(|stage| format!("native-image {stage}"));
        let doing = stage.unwrap_or_else(|| "Maven".to_owned());
        let last = self.last().map(|last| format!(" (the last time {last})")).unwrap_or_default();
        format!("building {}: {doing}, {}{last}", self.name, clock(elapsed.as_secs()))
    }

    fn last(&self) -> Option<String> {
        self.last_time.map(|making| clock(making.took.as_secs_f64().round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;

    #[test]
    fn the_stage_and_the_last_time_are_told() {
        let last_time = Some(Making { took: Nanos::from_secs(543), cpu: Nanos::ZERO });
        let progress = Progress::new("greetings-web", true, last_time);
        assert_eq!(progress.beginning(), "building a native image of greetings-web (once; the last one took 9:03)…");
        assert_eq!(
            progress.line(Duration::from_secs(252), "[2/8] Performing analysis... [***]\n[3/8] Building universe..."),
            "building greetings-web: native-image [3/8] Building universe, 4:12 (the last time 9:03)"
        );
    }

    #[test]
    fn the_first_time_nothing_is_promised() {
        let progress = Progress::new("caller", false, None);
        assert!(progress.beginning().contains("the first time it downloads"), "{}", progress.beginning());
        assert_eq!(progress.line(Duration::from_secs(61), ""), "building caller: Maven, 1:01");
        assert!(Progress::new("web", true, None).beginning().contains("this takes minutes"));
    }
}
