//! Panels beside each other that share their rows: one axis each, dots for several series on every row.

use maud::{Markup, html};

use super::{px, scale::Scale, series_class, text_width};

/// A chart of panels.
pub struct PanelChart {
    /// Description for screen readers.
    pub label: String,
    /// Names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// Number of series.
    pub series: usize,
    /// Panels from left to right.
    pub panels: Vec<Panel>,
}

/// One axis with its dots.
pub struct Panel {
    /// Heading.
    pub title: String,
    /// Unit, below the axis.
    pub unit: String,
    /// The axis.
    pub scale: Scale,
    /// Dots in any order.
    pub dots: Vec<Dot>,
}

/// A dot on a row.
pub struct Dot {
    /// Index of the row.
    pub row: usize,
    /// Index of the series: its colour, and its place within the row.
    pub series: usize,
    /// Its value on the axis.
    pub value: f64,
    /// Its range over rounds.
    pub range: Option<(f64, f64)>,
    /// Text for hover and for screen readers.
    pub tip: String,
}

const HEAD: f64 = 24.0;
const FOOT: f64 = 38.0;
const GAP: f64 = 26.0;
/// Distance between the dots of one row.
const STEP: f64 = 9.0;
/// Width below which panels stand below each other.
const SIDE_BY_SIDE: f64 = 600.0;

impl PanelChart {
    /// Drawn `width` wide.
    pub fn draw(&self, width: f64) -> Markup {
        let names = self.rows.iter().map(|name| text_width(name)).fold(0.0, f64::max).min(width * 0.4);
        let row = STEP * self.series as f64 + 9.0;
        let body = row * self.rows.len() as f64;
        let height = HEAD + body + FOOT;
        let beside = width >= SIDE_BY_SIDE;
        let count = self.panels.len().max(1) as f64;
        let total = if beside { height } else { height * count };
        let panel_width = if beside { (width - names - GAP * count) / count } else { width - names - GAP };
        html! {
            svg.chart.panels viewBox=(format!("0 0 {} {}", px(width), px(total)))
                role="group" aria-label=(self.label) tabindex="0" {
                @for (index, panel) in self.panels.iter().enumerate() {
                    @let (left, top) = if beside {
                        (names + GAP * 0.6 + (panel_width + GAP) * index as f64, 0.0)
                    } else {
                        (names + GAP * 0.6, height * index as f64)
                    };
                    (bands(&self.rows, left, top + HEAD, panel_width, row))
                    @if index == 0 || !beside { (row_names(&self.rows, names, top + HEAD, row)) }
                    (self.panel(panel, left, top, panel_width, row))
                }
            }
        }
    }

    fn panel(&self, panel: &Panel, left: f64, top: f64, width: f64, row: f64) -> Markup {
        let scale = panel.scale.at(left, left + width - 6.0);
        let (start, bottom) = (top + HEAD, top + HEAD + row * self.rows.len() as f64);
        html! {
            g.axis {
                text.head x=(px(left)) y=(px(top + 14.0)) { (panel.title) }
                @for (value, label) in scale.ticks(((width / 70.0) as usize).max(2)) {
                    line.grid x1=(px(scale.px(value))) x2=(px(scale.px(value))) y1=(px(start)) y2=(px(bottom)) {}
                    text x=(px(scale.px(value))) y=(px(bottom + 15.0)) text-anchor="middle" { (label) }
                }
                text.unit x=(px(left + width)) y=(px(bottom + 31.0)) text-anchor="end" { (panel.unit) }
            }
            @for dot in &panel.dots {
                @let offset = (dot.series as f64 - (self.series as f64 - 1.0) / 2.0) * STEP;
                @let middle = start + (dot.row as f64 + 0.5) * row + offset;
                g class={ "mark " (series_class(dot.series)) } {
                    title { (dot.tip) }
                    rect.hit x=(px(left)) y=(px(middle - STEP / 2.0)) width=(px(width)) height=(px(STEP)) {}
                    @if let Some((low, high)) = dot.range {
                        line.span x1=(px(scale.px(low))) x2=(px(scale.px(high))) y1=(px(middle)) y2=(px(middle)) {}
                    }
                    circle.dot cx=(px(scale.px(dot.value))) cy=(px(middle)) r="4" {}
                }
            }
        }
    }
}

/// Backgrounds of every other row, which guide the eye across panels.
fn bands(rows: &[String], left: f64, top: f64, width: f64, row: f64) -> Markup {
    html! {
        @for index in (0..rows.len()).step_by(2) {
            rect.band x=(px(left - 8.0)) y=(px(top + row * index as f64)) width=(px(width + 14.0)) height=(px(row)) {}
        }
    }
}

fn row_names(rows: &[String], names: f64, top: f64, row: f64) -> Markup {
    html! {
        @for (index, name) in rows.iter().enumerate() {
            text.name x=(px(names)) y=(px(top + (index as f64 + 0.5) * row + 4.0)) text-anchor="end" { (name) }
        }
    }
}
