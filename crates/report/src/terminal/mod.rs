//! The report for a terminal: no line is wider than the style allows.

pub mod blocks;
mod brief;
mod layout;

use plimsoll_analysis::{Results, results::PublishedResults};

use crate::{
    Style,
    content::{outline, summary},
};
pub use layout::{Ink, Page};

/// The first answer, or everything.
pub fn render(results: &Results, style: &Style) -> String {
    if style.is_brief { brief::render(results, style) } else { full(results, style) }
}

/// Every section of the outline.
fn full(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    page.heading(summary::title(results));
    page.text(&summary::line(results), 0);
    blocks::lay_out_all(&mut page, results);
    page.finish()
}

/// Audit of published figures alone.
pub fn audit(published: &PublishedResults, style: &Style) -> String {
    let mut page = Page::new(style);
    outline::audit_blocks(published).iter().for_each(|block| blocks::lay_out(&mut page, block));
    page.finish()
}
