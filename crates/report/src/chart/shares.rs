//! Bars of one length, divided into shares.

use maud::{Markup, html};

use super::{px, series_class, text_width};

/// A chart of such bars.
pub struct ShareChart {
    /// Description for screen readers.
    pub label: String,
    /// Bars from top to bottom.
    pub bars: Vec<ShareBar>,
}

/// A bar.
pub struct ShareBar {
    /// Name, above the bar.
    pub name: String,
    /// Parts from left to right.
    pub parts: Vec<SharePart>,
}

/// A part of a bar.
pub struct SharePart {
    /// Index into the palette.
    pub colour: usize,
    /// Part of the bar, from 0 to 1.
    pub share: f64,
    /// Words written on it, of which the first that fits is shown.
    pub words: [String; 2],
    /// Every value, for hover and for screen readers.
    pub tip: String,
}

const HEAD: f64 = 20.0;
const BAR: f64 = 26.0;
const GAP: f64 = 10.0;

impl ShareChart {
    /// Drawn `width` wide.
    pub fn draw(&self, width: f64) -> Markup {
        let height = (HEAD + BAR + GAP) * self.bars.len() as f64;
        html! {
            svg.chart.shares viewBox=(format!("0 0 {} {}", px(width), px(height)))
                role="group" aria-label=(self.label) tabindex="0" {
                @for (index, bar) in self.bars.iter().enumerate() {
                    @let top = (HEAD + BAR + GAP) * index as f64;
                    text.name x="0" y=(px(top + 14.0)) { (bar.name) }
                    (draw_bar(bar, top + HEAD, width))
                }
            }
        }
    }
}

fn draw_bar(bar: &ShareBar, top: f64, width: f64) -> Markup {
    let before = |index: usize| bar.parts[..index].iter().map(|part| part.share).sum::<f64>();
    html! {
        @for (index, part) in bar.parts.iter().enumerate() {
            @let (left, wide) = (before(index) * width, part.share * width);
            g class={ "mark part " (series_class(part.colour)) } {
                title { (part.tip) }
                rect.bar x=(px(left)) y=(px(top)) width=(px(wide)) height=(px(BAR)) {}
                @if let Some(words) = part.words.iter().find(|words| text_width(words) + 8.0 <= wide) {
                    text.name x=(px(left + wide / 2.0)) y=(px(top + 17.0)) text-anchor="middle" { (words) }
                }
            }
        }
    }
}
