//! Reports of a comparison of two executions.

use plimsoll_analysis::results::{Comparison, Difference, DifferenceVerdict};

use crate::{
    Format, Style,
    content::{
        block::{Item, Tone},
        comparison as content,
    },
    csv, html, json, junit, markdown,
    terminal::{Ink, Page, blocks},
};

/// Formats of a comparison.
pub const COMPARISON_FORMATS: [Format; 6] =
    [Format::Terminal, Format::Html, Format::Markdown, Format::Json, Format::Csv, Format::Junit];

/// Lines of a first answer.
const LINES_MAX: usize = 25;
/// Rows of changes in a first answer.
const CHANGED_MAX: usize = 4;
/// Lines below the differences of a first answer, and lines of the differences' heads.
const FOOT: usize = 5;
const HEADS: usize = 2;
/// Lines of the note on searches.
const OF_SEARCHES: usize = 4;
/// Width of the terminal from which on earlier figures have a column of their own.
const WIDE: usize = 96;

/// Changes, each difference with its verdict, and why some cannot be told.
pub fn comparison(format: Format, comparison: &Comparison, style: &Style) -> String {
    match format {
        Format::Terminal => terminal(comparison, style),
        Format::Json => json::document(comparison),
        Format::Csv => in_csv(comparison),
        Format::Junit => junit::comparison(comparison),
        Format::Markdown => {
            let line = format!("{} {}", content::verdict(comparison), content::line(comparison));
            crate::cleaned(markdown::of_blocks(&content::title(comparison), &line, &content::parts(comparison)))
        }
        Format::Html => crate::cleaned(html::of_blocks(
            &content::title(comparison),
            &content::line(comparison),
            &content::verdict(comparison),
            &html::comparison::sections(comparison),
        )),
    }
}

fn terminal(comparison: &Comparison, style: &Style) -> String {
    let mut page = Page::new(style);
    page.heading(&content::title(comparison));
    let sides = content::sides(comparison);
    if !style.is_brief {
        page.labelled(&sides);
        answer(&mut page, comparison);
        for part in content::parts(comparison).iter().filter(|it| !it.blocks.is_empty()) {
            page.heading(part.title);
            part.blocks.iter().for_each(|block| blocks::lay_out(&mut page, block));
        }
        return page.finish();
    }
    sides.iter().for_each(|(when, text)| page.line_of(&format!("{when:<6}  {text}")));
    match content::changed(&comparison.changed, CHANGED_MAX) {
        Some(table) => page.table(&table),
        None => page.note("Nothing that the record has of environment and settings differs."),
    }
    content::lines(comparison).iter().for_each(|table| page.table(table));
    comparison.doubts.iter().take(1).for_each(|it| page.marked_line("doubt", Ink::Doubt, it, ""));
    let all = content::by_weight(comparison);
    let is_shown =
        |it: &&&Difference| comparison.unjudged.is_some() || it.verdict != Some(DifferenceVerdict::NoDifference);
    let foot = if content::judges_searches(comparison) { FOOT + OF_SEARCHES } else { FOOT };
    let room = LINES_MAX.saturating_sub(page.lines() + HEADS + foot).max(HEADS);
    let shown: Vec<&Difference> = all.iter().filter(is_shown).take(room).copied().collect();
    if !shown.is_empty() {
        page.table(&content::differences(shown.iter().copied(), style.width >= WIDE));
    }
    for Item { word, text, .. } in content::undecided(comparison).unwrap_or_default().iter().take(1) {
        page.marked_line(word, Ink::Doubt, text, "");
    }
    if content::judges_searches(comparison) {
        page.note(content::OF_SEARCHES);
    }
    answer(&mut page, comparison);
    if shown.len() < all.len() || comparison.changed.len() > CHANGED_MAX {
        page.note("--full shows every figure and every change");
    }
    page.finish()
}

fn answer(page: &mut Page, comparison: &Comparison) {
    let (word, ink) = match content::tone(comparison) {
        Tone::Bad => ("✗", Ink::Bad),
        Tone::Doubt => ("?", Ink::Doubt),
        Tone::Plain => ("✓", Ink::Good),
    };
    page.marked(word, ink, &content::verdict(comparison));
}

const HEAD: [&str; 11] =
    ["variant", "level", "statistic", "unit", "before", "after", "change", "low", "high", "verdict", "is_regression"];

fn in_csv(comparison: &Comparison) -> String {
    let row = |it: &Difference| {
        let end = |index: usize| it.interval.map_or_else(String::new, |ends| ends[index].to_string());
        let verdict = it.verdict.map_or("", |verdict| match verdict {
            DifferenceVerdict::Better => "better",
            DifferenceVerdict::Worse => "worse",
            DifferenceVerdict::NoDifference => "no-difference",
            DifferenceVerdict::Undecided => "undecided",
        });
        [
            csv::cell(&it.variant).into_owned(),
            csv::cell(it.level.as_deref().unwrap_or_default()).into_owned(),
            it.metric.to_owned(),
            it.unit.to_owned(),
            it.before.to_string(),
            it.after.to_string(),
            it.change.to_string(),
            end(0),
            end(1),
            verdict.to_owned(),
            it.is_regression.to_string(),
        ]
    };
    csv::table(HEAD, comparison.differences.iter().map(row))
}
