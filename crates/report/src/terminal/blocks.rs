//! Blocks of the outline on a terminal.

use plimsoll_analysis::{Results, results::Verdict};

use plimsoll_text::number::TimeUnit;
use unicode_width::UnicodeWidthStr;

use super::layout::{Ink, Page};
use crate::content::{
    Column, Table, bars,
    block::{Block, Item, Judged, Tone},
    claims,
    load::Bar,
    outline::SECTIONS,
};

/// Every section that has something to show.
pub fn lay_out_all(page: &mut Page, results: &Results) {
    for section in SECTIONS {
        let blocks = (section.blocks)(results);
        if blocks.iter().any(is_shown) {
            page.heading(section.title);
            blocks.iter().for_each(|block| lay_out(page, block));
        }
    }
}

/// Whether a terminal shows it; charts need a page.
const fn is_shown(block: &Block) -> bool {
    !matches!(block, Block::Figure(_))
}

/// Adds a block to the page.
pub fn lay_out(page: &mut Page, block: &Block) {
    match block {
        Block::Heading(text) => page.heading(text),
        Block::Text(text) => page.text(text, 0),
        Block::Aside(text) => page.note(text),
        Block::Table(table) => page.table(table),
        Block::Folded(_, blocks) => blocks.iter().for_each(|block| lay_out(page, block)),
        Block::Facts(facts) => page.labelled(facts),
        Block::Claims(claims) => claims.iter().for_each(|claim| lay_out_claim(page, claim)),
        Block::Items(items) => items.iter().for_each(|Item { tone, word, text }| page.marked(word, ink(*tone), text)),
        Block::Output(lines) => output(page, lines),
        Block::Histogram(bars) => histogram(page, bars),
        Block::Characters(lines) => characters(page, lines),
        Block::Drawn { label, text, .. } => page.labelled(&[(label, text.clone())]),
        Block::Figure(_) => {}
    }
}

fn lay_out_claim(page: &mut Page, claim: &Judged) {
    let word = format!("{} {}", claims::mark(claim.verdict), claims::word(claim.verdict));
    page.marked(&word, claim_ink(claim.verdict), &claim.says);
    let figure = claim.figure.as_ref().map(|figure| format!("{figure}  ")).unwrap_or_default();
    page.text(&format!("  {figure}{}", claim.expression), 4);
    claim.details.iter().for_each(|text| page.text(&format!("  {text}"), 4));
}

/// The last lines that the target wrote before it died.
fn output(page: &mut Page, lines: &[String]) {
    const LINES: usize = 8;
    let tail = &lines[lines.len().saturating_sub(LINES)..];
    tail.iter().for_each(|line| page.line_of(&format!("  | {line}")));
}

/// Adds a chart of characters, unless it is too wide.
pub fn characters(page: &mut Page, lines: &[String]) {
    if lines.is_empty() || lines.iter().any(|line| line.width() > page.width()) {
        return;
    }
    page.empty_line();
    lines.iter().for_each(|line| page.line_of(line));
}

/// One row per step of response time, with a bar as long as its share.
fn histogram(page: &mut Page, steps: &[Bar]) {
    let unit = TimeUnit::fitting(steps.first().map(|step| step.to_ms));
    let tallest = steps.iter().map(|step| step.share).fold(f64::MIN_POSITIVE, f64::max);
    let widest = page.width().saturating_sub(30).min(50);
    let row = |step: &Bar| {
        let bar = bars::bar(step.share / tallest, widest);
        vec![unit.show(step.to_ms), format!("{:.1}", step.share * 100.0), bar]
    };
    let columns =
        vec![Column::numbers(format!("up to {}", unit.symbol())), Column::numbers("share %"), Column::words("")];
    let title = "Response times of successful requests".to_owned();
    page.table(&Table { title, columns, rows: steps.iter().map(row).collect() });
}

/// Colour of a verdict.
pub const fn claim_ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Holds => Ink::Good,
        Verdict::Fails => Ink::Bad,
        Verdict::Undecided => Ink::Doubt,
    }
}

/// Colour of a tone.
pub const fn ink(tone: Tone) -> Ink {
    match tone {
        Tone::Plain => Ink::Plain,
        Tone::Doubt => Ink::Doubt,
        Tone::Bad => Ink::Bad,
    }
}
