//! Two executions side by side, as tables and sentences.

use plimsoll_analysis::results::{
    About, Changed, Compared, ComparedLine, Comparison, Difference, DifferenceVerdict, LineIs,
};
use plimsoll_record::label_for_people;
use plimsoll_text::{
    counted, joined,
    number::{NONE, errors_percent, in_full, sig3, time, with_unit},
};

use super::{
    Column, Table,
    block::{Block, Item, Tone},
    environment::commit,
    part::Part,
    summary,
};

/// How to read the differences.
pub const HOW_TO_READ: &str = "Medians over rounds; the change is that of geometric means over them, with the \
    interval in which it lies with 95 %, by itself, unpaired: rounds of two executions were made at different times. \
    Verdicts look at all figures together (Holm): in 95 of 100 comparisons of a service with itself nothing is called \
    better or worse. ✗ worse is beyond the tolerance, ↓ worse is not or not surely; alike is surely closer than the \
    tolerance; open is neither, with the reason below. Errors differ by percentage points (pp), and their tolerance is \
    0.1.";

/// How to read differences of load lines without rounds.
pub const OF_SEARCHES: &str = "Load lines are judged by the intervals of their searches, 95 % each, of one process each: \
    how one process of the service differs from the next is not in them. `plimsoll run` of a file with `line:` and \
    `rounds: 5` starts five processes, and has that in its intervals.";

/// Heading of the comparison within the report of the later execution.
pub const SECTION: &str = "Against the baseline";

/// `greetings #7 against #3`.
pub fn title(comparison: &Comparison) -> String {
    let Comparison { before, after, .. } = comparison;
    let old = if before.name == after.name { String::new() } else { format!("{} ", before.name) };
    format!("{} #{} against {old}#{}", after.name, after.id, before.id)
}

/// `before: #3 of 2026-05-04 09:30 UTC, in commit 0123456789ab, 5 rounds · after: #7 of …`.
pub fn line(comparison: &Comparison) -> String {
    sides(comparison).map(|(when, text)| format!("{when}: {text}")).join(" · ")
}

/// Either execution, in a line.
pub fn sides(comparison: &Comparison) -> [(&'static str, String); 2] {
    let of = |it: &Compared| {
        let commit = it.commit.as_deref().map(|it| format!(", {}", commit(it))).unwrap_or_default();
        let (moment, rounds) = (summary::moment(&it.started_at), counted(it.rounds.into(), "round"));
        format!("#{} of {moment}{commit}, {rounds}, {}", it.id, summary::status(it.status))
    };
    [("before", of(&comparison.before)), ("after", of(&comparison.after))]
}

/// The answer, in a sentence or two.
pub fn verdict(comparison: &Comparison) -> String {
    use DifferenceVerdict::{Better, NoDifference, Undecided, Worse};
    let tolerance = in_full(comparison.tolerance_percent, 3);
    let lower = match comparison.lower_lines().count() as u64 {
        0 => String::new(),
        some => format!("Surely lower by more than {tolerance} %: {}. ", counted(some, "load line")),
    };
    if let Some(why) = &comparison.unjudged {
        return format!("{lower}Not judged: {why}.");
    }
    let unjudged = comparison.differences.iter().filter(|it| it.verdict.is_none()).count();
    let told = [
        (comparison.count(Worse), "worse".to_owned()),
        (comparison.count(Better), "better".to_owned()),
        (comparison.count(NoDifference), "alike".to_owned()),
        (comparison.count(Undecided), "open".to_owned()),
        (unjudged, "not judged".to_owned()),
    ];
    let told: Vec<String> =
        told.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let regressions = comparison.regressions().count();
    let surely = match regressions {
        0 => format!("None is surely worse by more than {tolerance} %."),
        some => format!("Surely worse by more than {tolerance} %: {some}."),
    };
    format!("{lower}{}: {}. {surely}", counted(comparison.differences.len() as u64, "figure"), joined(&told))
}

/// The tone of the answer.
pub fn tone(comparison: &Comparison) -> Tone {
    match () {
        () if comparison.is_worse() => Tone::Bad,
        () if comparison.unjudged.is_some() => Tone::Doubt,
        () => Tone::Plain,
    }
}

/// All sections of the comparison.
pub fn parts(comparison: &Comparison) -> Vec<Part> {
    let part = |id, title, blocks| Part { id, title, blocks, charts: Vec::new() };
    let none = || vec![Block::Text("Nothing that the record has of environment and settings differs.".to_owned())];
    let changed = changed(&comparison.changed, usize::MAX).map_or_else(none, |table| vec![Block::Table(table)]);
    let undecided = undecided(comparison).map(Block::Items);
    let is_judged = |it: &Difference| it.verdict.is_some() && !it.is_of_searches;
    let differences = [
        Some(Block::Table(differences(&comparison.differences, true))),
        comparison.differences.iter().any(is_judged).then_some(Block::Aside(HOW_TO_READ.into())),
        judges_searches(comparison).then_some(Block::Aside(OF_SEARCHES.into())),
    ];
    let differences = differences.into_iter().flatten();
    vec![
        part("changed", "Changed beside the figures", changed),
        part("doubts", "Doubts", doubts(comparison)),
        part("lines", "Load lines", lines(comparison).into_iter().map(Block::Table).collect()),
        part("differences", "Differences", differences.chain(undecided).collect()),
    ]
}

/// Whether load lines without rounds are judged.
pub fn judges_searches(comparison: &Comparison) -> bool {
    comparison.differences.iter().any(|it| it.is_of_searches)
}

/// A row for each load line, with the ends that are known, 95 % sure; none where none was looked for.
pub fn lines(comparison: &Comparison) -> Option<Table> {
    let row = |it: &ComparedLine| {
        let is = match it.is {
            Some(LineIs::Higher) => "higher",
            Some(LineIs::Lower) => "lower",
            None if [it.before, it.after].iter().flatten().all(Option::is_some) => "they overlap",
            None => NONE,
        };
        vec![line_name(it), ends(it, it.before), ends(it, it.after), is.to_owned()]
    };
    let heads = ["load line", "before", "after", "intervals, 95 % each"].map(Column::words);
    let rows: Vec<Vec<String>> = comparison.lines.iter().map(row).collect();
    (!rows.is_empty()).then(|| Table { title: String::new(), columns: heads.into(), rows })
}

/// The variant of a line, and the line's name if it has one.
pub fn line_name(line: &ComparedLine) -> String {
    if line.name.is_empty() { line.variant.clone() } else { format!("{}, {}", line.variant, line.name) }
}

/// A line that is surely lower: `load line of web: below 60/s, before ≥ 100/s`.
pub fn lower_line(line: &ComparedLine) -> String {
    format!("load line of {}: {}, before {}", line_name(line), ends(line, line.after), ends(line, line.before))
}

fn ends(line: &ComparedLine, [low, high]: [Option<f64>; 2]) -> String {
    let unit = line.unit;
    // Users are whole.
    let shown = |number: f64| in_full(number, if unit == "/s" { 3 } else { 9 });
    match (low.map(shown), high.map(shown)) {
        (Some(low), Some(high)) => format!("{low} – {high}{unit}"),
        (Some(low), None) => format!("≥ {low}{unit}"),
        (None, Some(high)) => format!("below {high}{unit}"),
        (None, None) => "unknown".to_owned(),
    }
}

/// Doubts about figures, and parts that were not compared.
pub fn doubts(comparison: &Comparison) -> Vec<Block> {
    let item = |tone: Tone, word: &str, text: &String| Item { tone, word: word.to_owned(), text: text.clone() };
    let doubts = comparison.doubts.iter().map(|it| item(Tone::Doubt, "doubt", it));
    let left_out = comparison.left_out.iter().map(|it| item(Tone::Plain, "not compared", it));
    let items: Vec<Item> = doubts.chain(left_out).collect();
    if items.is_empty() { Vec::new() } else { vec![Block::Items(items)] }
}

/// Environment and settings that differ, at most `most` rows; none if nothing differs.
pub fn changed(changed: &[Changed], most: usize) -> Option<Table> {
    let value = |it: &Option<String>| it.clone().unwrap_or_else(|| NONE.to_owned());
    let row = |it: &Changed| vec![about(it.about).to_owned(), it.name.clone(), value(&it.before), value(&it.after)];
    let mut rows: Vec<Vec<String>> = changed.iter().take(most).map(row).collect();
    if changed.len() > most {
        let more = format!("{} more", changed.len() - most);
        rows.push(vec!["…".to_owned(), more, String::new(), String::new()]);
    }
    let heads = ["", "changed", "before", "after"].map(Column::words);
    (!rows.is_empty()).then(|| Table { title: String::new(), columns: heads.into(), rows })
}

/// The kind of a change, in a word.
pub const fn about(about: About) -> &'static str {
    match about {
        About::Limit => "limit",
        About::Load => "load",
        About::Machine => "machine",
        About::Software => "software",
        About::Plimsoll => "Plimsoll",
        About::Experiment => "experiment",
        About::Variant => "variant",
    }
}

/// A row for each figure. A table that is not wide leaves out the earlier figures, which follow from the change.
pub fn differences<'a>(differences: impl IntoIterator<Item = &'a Difference> + Clone, is_wide: bool) -> Table {
    let several = |of: fn(&Difference) -> &str| {
        let mut all: Vec<&str> = differences.clone().into_iter().map(of).collect();
        all.sort_unstable();
        all.dedup();
        all.len() > 1
    };
    let (has_variants, has_levels) = (several(|it| &it.variant), several(|it| it.level.as_deref().unwrap_or_default()));
    let columns = [
        Some(Column::whole("")),
        has_variants.then(|| Column::words("variant")),
        has_levels.then(|| Column::words("level")),
        Some(Column::whole("figure")),
        is_wide.then(|| Column::numbers("before")),
        Some(Column::numbers("after")),
        Some(Column::numbers("change [95 %]")),
    ];
    let row = |it: &Difference| {
        let cells = [
            Some(word(it).to_owned()),
            has_variants.then(|| it.variant.clone()),
            has_levels.then(|| it.level.as_deref().map_or_else(String::new, label_for_people)),
            Some(figure(it)),
            is_wide.then(|| value(it, it.before)),
            Some(value(it, it.after)),
            Some(change(it)),
        ];
        cells.into_iter().flatten().collect()
    };
    Table {
        title: String::new(),
        columns: columns.into_iter().flatten().collect(),
        rows: differences.clone().into_iter().map(row).collect(),
    }
}

/// The figure in words.
pub fn figure(difference: &Difference) -> String {
    difference.metric.replace("cpu", "CPU").replace('_', " ")
}

fn value(difference: &Difference, value: f64) -> String {
    match difference.unit {
        "ms" => time(value),
        "s" => time(value * 1e3),
        "%" => format!("{} %", errors_percent(value)),
        unit => with_unit(sig3(value), unit),
    }
}

/// `+3.1 % [+1.2 – +5.0]`.
pub fn change(difference: &Difference) -> String {
    if !difference.change.is_finite() {
        return NONE.to_owned();
    }
    let unit = if difference.unit == "%" { "pp" } else { "%" };
    let interval = difference.interval.map(|[low, high]| format!(" [{} – {}]", signed(low), signed(high)));
    format!("{} {unit}{}", signed(difference.change), interval.unwrap_or_default())
}

fn signed(value: f64) -> String {
    match value {
        // Changes that round to zero.
        value if value.abs() < 0.005 => "0".to_owned(),
        value if value < 0.0 => format!("−{}", rounded(-value)),
        value => format!("+{}", rounded(value)),
    }
}

fn rounded(value: f64) -> String {
    if value >= 100.0 { sig3(value) } else { format!("{:.*}", if value < 1.0 { 2 } else { 1 }, value) }
}

/// The verdict with its mark.
pub const fn word(difference: &Difference) -> &'static str {
    match difference.verdict {
        Some(DifferenceVerdict::Worse) if difference.is_regression => "✗ worse",
        Some(DifferenceVerdict::Worse) => "↓ worse",
        Some(DifferenceVerdict::Better) => "↑ better",
        Some(DifferenceVerdict::NoDifference) => "= alike",
        Some(DifferenceVerdict::Undecided) => "? open",
        None => NONE,
    }
}

/// Reasons why figures are undecided, with the rounds that would decide them.
pub fn undecided(comparison: &Comparison) -> Option<Vec<Item>> {
    let mut reasons: Vec<(&str, Vec<&Difference>)> = Vec::new();
    for difference in &comparison.differences {
        let Some(reason) = &difference.reason else { continue };
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, all)) => all.push(difference),
            None => reasons.push((reason, vec![difference])),
        }
    }
    let item = |(reason, all): (&str, Vec<&Difference>)| {
        let rounds = all.iter().map(|it| it.rounds_needed).collect::<Option<Vec<u32>>>();
        let remedy = match rounds.as_ref().and_then(|it| it.iter().max()) {
            Some(most) => {
                format!("; about {most} rounds of each would tell {} %", in_full(comparison.tolerance_percent, 3))
            }
            None => String::new(),
        };
        let figures = counted(all.len() as u64, "figure");
        Item { tone: Tone::Doubt, word: "open".to_owned(), text: format!("{figures}: {reason}{remedy}") }
    };
    (!reasons.is_empty()).then(|| reasons.into_iter().map(item).collect())
}

/// Differences, the gravest first.
pub fn by_weight(comparison: &Comparison) -> Vec<&Difference> {
    let rank = |it: &&Difference| match it.verdict {
        Some(DifferenceVerdict::Worse) if it.is_regression => 0,
        Some(DifferenceVerdict::Worse) => 1,
        Some(DifferenceVerdict::Better) => 2,
        Some(DifferenceVerdict::Undecided) | None => 3,
        Some(DifferenceVerdict::NoDifference) => 4,
    };
    let mut all: Vec<&Difference> = comparison.differences.iter().collect();
    all.sort_by_key(rank);
    all
}
