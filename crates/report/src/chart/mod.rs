//! Charts as SVG, drawn here so that a page is self-contained. A chart knows axes, marks and text, but no results.
//! Colours and type come from the page's style sheet, hover and keys from its script.

pub mod chain;
pub mod lines;
pub mod panels;
pub mod rows;
pub mod scale;
pub mod shares;
pub mod stack;

use maud::{Markup, html};

/// Number of colours of the palette; further series repeat them with another dash.
pub const COLOURS: usize = 8;

/// Classes that give series `index` its colour and dash.
pub fn series_class(index: usize) -> String {
    format!("c{} d{}", index % COLOURS, (index / COLOURS).min(3))
}

/// A chart in two widths; the page shows the one that suits the screen, so that text keeps its size.
pub fn responsive(draw: impl Fn(f64) -> Markup, wide: f64) -> Markup {
    const NARROW: f64 = 350.0;
    html! {
        div.wide { (draw(wide)) }
        div.narrow { (draw(NARROW)) }
    }
}

/// A coordinate with as many digits as a screen can show.
fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The approximate width of `text` in the chart's small type.
fn text_width(text: &str) -> f64 {
    use unicode_width::UnicodeWidthStr;
    text.width() as f64 * 7.1
}
