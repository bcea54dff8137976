//! A comparison in a browser: its figures are drawn with their intervals.

use maud::{Markup, html};
use plimsoll_analysis::results::{Comparison, Difference, DifferenceVerdict};
use plimsoll_record::label_for_people;

use super::{Section, blocks, parts};
use crate::{
    chart::{
        rows::{Mark, Row, RowChart},
        scale::Scale,
    },
    content::{comparison as content, part::Part},
};

/// The ends of the axis, in percent. Changes beyond are drawn there: a single one would leave no room for the others.
const ENDS: [f64; 2] = [-100.0, 200.0];
/// Rows of the chart, at most; the table has all.
const ROWS_MAX: usize = 40;

/// Sections of a comparison, with the chart above its table.
pub fn sections(comparison: &Comparison) -> Vec<Part> {
    let mut sections = content::parts(comparison);
    for section in sections.iter_mut().filter(|it| it.id == "differences") {
        section.charts.extend(intervals(comparison));
    }
    sections
}

/// The comparison as one section of the later execution's report.
pub fn section(comparison: &Comparison) -> Section {
    let lede = html! { p { strong { (content::verdict(comparison)) } " " (content::line(comparison)) } };
    let of_part = |part: Part| {
        let body: Vec<Markup> = part.charts.into_iter().chain(blocks::all(&part.blocks, None)).collect();
        html! { @if !body.is_empty() { h3 { (part.title) } @for block in body { (block) } } }
    };
    let body = [lede].into_iter().chain(sections(comparison).into_iter().map(of_part)).collect();
    Section { id: "against", title: content::SECTION, body }
}

/// The change of each figure with the interval in which it lies; none where no figure has one.
fn intervals(comparison: &Comparison) -> Option<Markup> {
    let all = content::by_weight(comparison);
    let rows: Vec<Row> = all.iter().filter_map(|it| row(it, comparison)).take(ROWS_MAX).collect();
    if rows.is_empty() {
        return None;
    }
    let tolerance = comparison.tolerance_percent;
    let ends = rows.iter().flat_map(|row| &row.marks).filter_map(|mark| match *mark {
        Mark::Line(low, high) => Some([low, high]),
        _ => None,
    });
    let (low, high) = ends.fold((-tolerance, tolerance), |(low, high), ends| (low.min(ends[0]), high.max(ends[1])));
    let scale = Scale::between(low.max(ENDS[0]), high.min(ENDS[1]));
    let label = "Changes with their intervals".to_owned();
    let unit = if high > ENDS[1] { "% of before; what is beyond 200 is at the end" } else { "% of before" };
    let chart = RowChart { label, scale, unit, rows };
    let key = [("dot", "change"), ("span", "95 % interval"), ("tick", "tolerance"), ("ceiling", "no change")];
    Some(html! { (parts::key(&key)) (parts::facets(vec![("Change, and where it lies".to_owned(), chart)])) })
}

fn row(difference: &Difference, comparison: &Comparison) -> Option<Row> {
    let [low, high] = difference.interval.filter(|ends| ends.iter().all(|end| end.is_finite()))?;
    // Shares differ by percentage points, which would need another axis.
    if difference.unit == "%" || !difference.change.is_finite() {
        return None;
    }
    let level = difference.level.as_deref().map(|it| format!(" @ {}", label_for_people(it))).unwrap_or_default();
    let name = format!("{} of {}{level}", content::figure(difference), difference.variant);
    let tolerance = comparison.tolerance_percent;
    let class = match difference.verdict {
        Some(DifferenceVerdict::Worse) => "worse",
        Some(DifferenceVerdict::Better) => "better",
        _ => "alike",
    };
    let marks = vec![
        Mark::Ceiling(0.0),
        Mark::Tick(-tolerance),
        Mark::Tick(tolerance),
        Mark::Line(low, high),
        Mark::Dot(difference.change),
    ];
    let (value, word) = (content::change(difference), content::word(difference));
    let tip = format!("{name}: {word}, {value}");
    Some(Row { name, series: 0, class: class.to_owned(), marks, value: word.to_owned(), tip })
}
