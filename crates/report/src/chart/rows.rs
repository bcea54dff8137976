//! Rows of names with marks beside them on one axis: bars, ranges, dots.

use maud::{Markup, html};

use super::{px, scale::Scale, text_width};

/// A chart of rows.
pub struct RowChart<'a> {
    /// Description for screen readers.
    pub label: String,
    /// The axis.
    pub scale: Scale,
    /// Unit of the axis, below it.
    pub unit: &'a str,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
}

/// One row.
pub struct Row {
    /// Its name.
    pub name: String,
    /// The series it belongs to, for highlighting.
    pub series: usize,
    /// CSS class that gives its colour.
    pub class: String,
    /// Marks from back to front.
    pub marks: Vec<Mark>,
    /// The value written at the end of the row.
    pub value: String,
    /// Every value, for hover and for screen readers.
    pub tip: String,
}

/// A mark on a row.
#[derive(Clone, Copy)]
pub enum Mark {
    /// A bar from zero.
    Bar(f64),
    /// One round.
    Round(f64),
    /// A connecting line.
    Line(f64, f64),
    /// A full dot.
    Dot(f64),
    /// A hollow dot.
    Ring(f64),
    /// An upright stroke.
    Tick(f64),
    /// The most that settings or users allow.
    Ceiling(f64),
}

const ROW: f64 = 24.0;
/// Height of a row if there are many, and their number from which on there are.
const LOW_ROW: f64 = 19.0;
const MANY_ROWS: usize = 16;
const BAR: f64 = 13.0;
const FOOT: f64 = 38.0;
/// Factor by which bold figures are wider.
const BOLDER: f64 = 1.12;

/// Columns of the chart.
struct Layout {
    row: f64,
    width: f64,
    names: f64,
    values: f64,
}

impl RowChart<'_> {
    /// Drawn `width` wide.
    pub fn draw(&self, width: f64) -> Markup {
        let layout = self.layout(width);
        let scale = self.scale.at(layout.names + 10.0, width - layout.values - 10.0);
        let bottom = self.rows.len() as f64 * layout.row + 4.0;
        let height = bottom + FOOT;
        html! {
            svg.chart.rows viewBox=(format!("0 0 {} {}", px(width), px(height)))
                role="group" aria-label=(self.label) tabindex="0" {
                (self.axis(&scale, &layout, bottom))
                @for (index, row) in self.rows.iter().enumerate() {
                    (draw_row(row, &scale, &layout, (index as f64 + 0.5) * layout.row + 2.0))
                }
            }
        }
    }

    fn layout(&self, width: f64) -> Layout {
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let names = widest(&mut self.rows.iter().map(|row| text_width(&row.name))).min(width * 0.42);
        let values = widest(&mut self.rows.iter().map(|row| text_width(&row.value) * BOLDER)).min(width * 0.3);
        let row = if self.rows.len() > MANY_ROWS { LOW_ROW } else { ROW };
        Layout { row, width, names, values }
    }

    fn axis(&self, scale: &Scale, layout: &Layout, bottom: f64) -> Markup {
        let room = layout.width - layout.names - layout.values;
        html! {
            g.axis {
                @for (value, label) in scale.ticks((room / 55.0) as usize) {
                    line.grid x1=(px(scale.px(value))) x2=(px(scale.px(value))) y1="0" y2=(px(bottom)) {}
                    text x=(px(scale.px(value))) y=(px(bottom + 15.0)) text-anchor="middle" { (label) }
                }
                text.unit x=(px(layout.width - layout.values - 10.0)) y=(px(bottom + 31.0)) text-anchor="end" {
                    (self.unit)
                }
            }
        }
    }
}

fn draw_row(row: &Row, scale: &Scale, layout: &Layout, middle: f64) -> Markup {
    let name = fitted(&row.name, layout.names);
    let value_x = layout.width - layout.values;
    html! {
        g class={ "mark " (row.class) } data-v=(row.series) {
            title { (row.tip) }
            rect.hit x="0" y=(px(middle - layout.row / 2.0)) width=(px(layout.width)) height=(px(layout.row)) {}
            text.name x=(px(layout.names)) y=(px(middle + 4.0)) text-anchor="end" { (name) }
            @for mark in &row.marks { (draw_mark(*mark, scale, layout, middle)) }
            text.value x=(px(value_x)) y=(px(middle + 4.0)) { (row.value) }
        }
    }
}

fn draw_mark(mark: Mark, scale: &Scale, layout: &Layout, middle: f64) -> Markup {
    let at = |value: f64| px(scale.px(value));
    let (top, bottom) = (px(middle - BAR / 2.0), px(middle + BAR / 2.0));
    let middle_px = px(middle);
    match mark {
        Mark::Bar(value) => {
            let left = scale.px(0.0);
            html! { rect.bar x=(px(left)) y=(top) width=(px((scale.px(value) - left).max(1.0))) height=(px(BAR)) rx="1.5" {} }
        }
        Mark::Round(value) => html! { circle.round cx=(at(value)) cy=(middle_px) r="2.4" {} },
        Mark::Line(low, high) => html! { line.span x1=(at(low)) x2=(at(high)) y1=(middle_px) y2=(middle_px) {} },
        Mark::Dot(value) => html! { circle.dot cx=(at(value)) cy=(middle_px) r="5" {} },
        Mark::Ring(value) => html! { circle.ring cx=(at(value)) cy=(middle_px) r="4" {} },
        Mark::Tick(value) => html! { line.tick x1=(at(value)) x2=(at(value)) y1=(top) y2=(bottom) {} },
        Mark::Ceiling(value) => html! {
            line.ceiling x1=(at(value)) x2=(at(value))
                y1=(px(middle - layout.row / 2.0)) y2=(px(middle + layout.row / 2.0)) {}
        },
    }
}

/// The text, cut in its middle if it is too wide.
fn fitted(text: &str, width: f64) -> String {
    let characters: Vec<char> = text.chars().collect();
    if text_width(text) <= width + 1.0 || characters.len() < 5 {
        return text.to_owned();
    }
    let keep = ((characters.len() as f64 * width / text_width(text)) as usize).saturating_sub(1).max(4);
    let end = keep / 2;
    let start = characters[..keep - end].iter().collect::<String>();
    format!("{start}…{}", characters[characters.len() - end..].iter().collect::<String>())
}
