//! Figures that two executions have in common.

use plimsoll_analysis::{
    Results,
    results::{Figure, LevelResults, LineResults, VariantResults},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{NONE, errors_percent, in_full, sig3, time};

/// Figures of a variant, or of one of its levels.
pub struct Group {
    /// Its name.
    pub title: String,
    /// Rows of name, A, B, B ÷ A.
    pub rows: Vec<Vec<String>>,
}

/// Groups of all variants that both have; two that have one each are compared whatever they are called.
pub fn groups(a: &Results, b: &Results) -> Vec<Group> {
    let are_single = a.variants.len() == 1 && b.variants.len() == 1;
    let partner = |of: &VariantResults| b.variants.iter().find(|other| are_single || other.name == of.name);
    let pairs = a.variants.iter().filter_map(|variant| Some((variant, partner(variant)?)));
    let mut groups: Vec<Group> = pairs.flat_map(|(of_a, of_b)| of_variant((a, of_a), (b, of_b))).collect();
    groups.extend(lines(a, b, are_single));
    groups.retain(|group| !group.rows.is_empty());
    groups
}

type Side<'a> = (&'a Results, &'a VariantResults);

fn of_variant((a, of_a): Side<'_>, (b, of_b): Side<'_>) -> Vec<Group> {
    let are_single = a.levels.len() == 1 && b.levels.len() == 1;
    let level = |index: usize, label: &str| {
        let other = if are_single { Some(0) } else { b.levels.iter().position(|level| level.label == label) };
        of_a.levels.get(index)?.as_ref().zip(of_b.levels.get(other?)?.as_ref())
    };
    let of_level = |(index, label): (usize, &String)| {
        let (in_a, in_b) = level(index, label)?;
        let labels = if in_a.label == in_b.label { vec![&in_a.label] } else { vec![&in_a.label, &in_b.label] };
        let labels: Vec<String> = labels.into_iter().map(|label| label_for_people(label)).collect();
        let title = format!("{} at {}", of_a.name, labels.join(" and at "));
        Some(Group { title, rows: rows_of_level(in_a, in_b) })
    };
    let levels = a.levels.iter().map(|level| &level.label).enumerate().filter_map(of_level);
    let whole = Group { title: format!("{}, start and peaks", of_a.name), rows: rows_of_variant(of_a, of_b) };
    levels.chain([whole]).collect()
}

fn rows_of_level(a: &LevelResults, b: &LevelResults) -> Vec<Vec<String>> {
    let per_second = |value: f64| format!("{}/s", sig3(value));
    let percent = |value: f64| format!("{} %", errors_percent(value));
    let us = |value: f64| time(value / 1e3);
    let mut rows = vec![
        row("throughput", &a.throughput_per_s, &b.throughput_per_s, per_second),
        row("median response", &a.response.median_ms, &b.response.median_ms, time),
        row("99th percentile", &a.response.p99_ms, &b.response.p99_ms, time),
        row("errors", &a.errors_percent(), &b.errors_percent(), percent),
    ];
    if let Some((a, b)) = a.cpu_percent.as_ref().zip(b.cpu_percent.as_ref()) {
        rows.push(row("CPU of the target", a, b, |value| format!("{} %", sig3(value))));
    }
    rows.push(row(
        "CPU of the generator per request",
        &a.generator_cpu_us_per_request,
        &b.generator_cpu_us_per_request,
        us,
    ));
    rows
}

fn rows_of_variant(a: &VariantResults, b: &VariantResults) -> Vec<Vec<String>> {
    let megabytes = |value: f64| format!("{} MB", sig3(value));
    let seconds = |value: f64| time(value * 1e3);
    let both = |name, a: &Option<Figure>, b: &Option<Figure>, show: &dyn Fn(f64) -> String| {
        a.as_ref().zip(b.as_ref()).map(|(a, b)| row(name, a, b, show))
    };
    let rows = [
        both("start-up", &a.startup_s, &b.startup_s, &seconds),
        both("peak memory (RSS)", &a.peak_rss_mb, &b.peak_rss_mb, &megabytes),
        both("peak threads", &a.peak_threads, &b.peak_threads, &|value| in_full(value, 3)),
    ];
    rows.into_iter().flatten().collect()
}

fn lines(a: &Results, b: &Results, are_single: bool) -> Option<Group> {
    let partner =
        |of: &LineResults| b.lines.iter().find(|it| it.name == of.name && (are_single || it.variant == of.variant));
    let row = |of_a: &LineResults| {
        let of_b = partner(of_a)?;
        let ends = |line: &LineResults| match (line.line.low(), line.line.high()) {
            (Some(low), Some(high)) => format!("{} – {}", in_full(low, 3), in_full(high, 3)),
            (Some(low), None) => format!("≥ {}", in_full(low, 3)),
            (None, Some(high)) => format!("below {}", in_full(high, 3)),
            (None, None) => NONE.to_owned(),
        };
        let times = of_a.line.middle().zip(of_b.line.middle()).map_or_else(|| NONE.to_owned(), |(a, b)| times(a, b));
        let name = if of_a.name.is_empty() { of_a.variant.clone() } else { format!("{}, {}", of_a.variant, of_a.name) };
        Some(vec![name, ends(of_a), ends(of_b), times])
    };
    Some(Group { title: "Load lines".to_owned(), rows: a.lines.iter().filter_map(row).collect() })
}

fn row(name: &str, a: &Figure, b: &Figure, show: impl Fn(f64) -> String) -> Vec<String> {
    let shown = |figure: &Figure| match (figure.rounds.is_empty(), figure.interval) {
        (true, _) => NONE.to_owned(),
        (false, None) => show(figure.median),
        (false, Some([low, high])) => format!("{} [{} – {}]", show(figure.median), show(low), show(high)),
    };
    let known = !a.rounds.is_empty() && !b.rounds.is_empty();
    let times = if known { times(a.median, b.median) } else { NONE.to_owned() };
    vec![name.to_owned(), shown(a), shown(b), times]
}

/// `1.20 (+20 %)`; none of nothing.
fn times(a: f64, b: f64) -> String {
    let ratio = b / a;
    if !ratio.is_finite() || a <= 0.0 {
        return NONE.to_owned();
    }
    let percent = (ratio - 1.0) * 100.0;
    let digits = if percent.abs() < 10.0 { 1 } else { 0 };
    format!("{} ({percent:+.digits$} %)", sig3(ratio))
}

#[cfg(test)]
mod tests {
    use plimsoll_analysis::{analyse, testing::greetings};

    use super::*;

    #[test]
    fn the_same_execution_differs_in_nothing() {
        let results = analyse(&greetings());
        let groups = groups(&results, &results);
        assert!(groups.len() > results.levels.len(), "{}", groups.len());
        for row in groups.iter().flat_map(|group| &group.rows) {
            assert_eq!(row[1], row[2]);
            assert!(["1.00 (+0.0 %)", NONE].contains(&row[3].as_str()), "{row:?}");
        }
    }

    #[test]
    fn ratios_are_told_with_their_sign() {
        assert_eq!(times(100.0, 120.0), "1.20 (+20 %)");
        assert_eq!(times(100.0, 97.6), "0.976 (-2.4 %)");
        assert_eq!(times(0.0, 97.6), NONE);
    }

    #[test]
    fn variants_of_other_names_have_nothing_in_common() {
        let a = analyse(&greetings());
        let mut b = a.clone();
        b.variants.iter_mut().for_each(|variant| variant.name.push('2'));
        assert!(groups(&a, &b).is_empty());
    }
}
