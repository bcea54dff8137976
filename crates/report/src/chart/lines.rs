//! Lines over two axes.

use maud::{Markup, html};

use super::{px, scale::Scale, series_class};

/// A chart of lines.
pub struct LineChart<'a> {
    /// Says to a screen reader what is shown.
    pub label: String,
    /// The lower axis.
    pub x: Axis<'a>,
    /// The left axis.
    pub y: Axis<'a>,
    /// Each one line.
    pub series: Vec<Series>,
    /// Stretches of the lower axis that are shaded and named.
    pub spans: Vec<SpanMark>,
    /// Height, axes included.
    pub height: f64,
}

/// An axis with its unit.
pub struct Axis<'a> {
    /// From values to coordinates.
    pub scale: Scale,
    /// What it shows, with the unit.
    pub title: &'a str,
    /// For hover values: `{}` stands for the value.
    pub tip: &'a str,
}

/// A line.
pub struct Series {
    /// Its name.
    pub name: String,
    /// Colour and dash.
    pub class: String,
    /// For highlighting; none if it is always shown.
    pub variant: Option<usize>,
    /// Ascending in x.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// The line of variant `index`.
    pub fn of_variant(index: usize, name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), class: series_class(index), variant: Some(index), points }
    }
}

/// A shaded stretch of the lower axis.
pub struct SpanMark {
    /// Its name.
    pub label: String,
    /// First and last x.
    pub from_to: (f64, f64),
    /// Shaded less.
    pub faint: bool,
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 24.0;
const FOOT: f64 = 40.0;

impl LineChart<'_> {
    /// Drawn `width` wide.
    pub fn draw(&self, width: f64) -> Markup {
        let bottom = self.height - FOOT;
        let x = self.x.scale.at(LEFT, width - RIGHT);
        let y = self.y.scale.at(bottom, TOP);
        html! {
            svg.chart.lines viewBox=(format!("0 0 {} {}", px(width), px(self.height))) role="group" aria-label=(self.label)
                tabindex="0" data-xtip=(self.x.tip) data-ytip=(self.y.tip) {
                @for span in &self.spans { (draw_span(span, &x, bottom)) }
                (self.axes(&x, &y, width, bottom))
                @for series in &self.series { (draw_series(series, &x, &y, width)) }
            }
        }
    }

    fn axes(&self, x: &Scale, y: &Scale, width: f64, bottom: f64) -> Markup {
        html! {
            g.axis {
                @for (value, label) in y.ticks(((bottom - TOP) / 38.0) as usize) {
                    line.grid x1=(px(LEFT)) x2=(px(width - RIGHT)) y1=(px(y.px(value))) y2=(px(y.px(value))) {}
                    text x=(px(LEFT - 8.0)) y=(px(y.px(value) + 4.0)) text-anchor="end" { (label) }
                }
                @for (value, label) in x.ticks(((width - LEFT) / 80.0) as usize) {
                    line.notch x1=(px(x.px(value))) x2=(px(x.px(value))) y1=(px(bottom)) y2=(px(bottom + 4.0)) {}
                    text x=(px(x.px(value))) y=(px(bottom + 17.0)) text-anchor="middle" { (label) }
                }
                line.base x1=(px(LEFT)) x2=(px(width - RIGHT)) y1=(px(bottom)) y2=(px(bottom)) {}
                text.unit x=(px(LEFT - 8.0)) y="11" text-anchor="start" dx="-44" { (self.y.title) }
                text.unit x=(px(width - RIGHT)) y=(px(bottom + 34.0)) text-anchor="end" { (self.x.title) }
            }
        }
    }
}

fn draw_span(span: &SpanMark, x: &Scale, bottom: f64) -> Markup {
    let (from, to) = (x.px(span.from_to.0), x.px(span.from_to.1));
    html! {
        g.level.faint[span.faint] {
            title { (span.label) }
            rect x=(px(from)) width=(px((to - from).max(1.0))) y=(px(TOP)) height=(px(bottom - TOP)) {}
            @if super::text_width(&span.label) < to - from {
                text x=(px(f64::midpoint(from, to))) y=(px(TOP - 4.0)) text-anchor="middle" { (span.label) }
            }
        }
    }
}

fn draw_series(series: &Series, x: &Scale, y: &Scale, width: f64) -> Markup {
    let points = thinned(&series.points, x, width);
    let coordinates: Vec<_> = points.iter().map(|&(at, value)| format!("{},{}", px(x.px(at)), px(y.px(value)))).collect();
    let values = |of: fn(&(f64, f64)) -> f64| points.iter().map(|point| short(of(point))).collect::<Vec<_>>().join(" ");
    html! {
        g.series class=(series.class) data-v=[series.variant] data-name=(series.name) {
            title { (series.name) }
            polyline points=(coordinates.join(" ")) data-x=(values(|point| point.0)) data-y=(values(|point| point.1)) {}
            @if let [only] = points.as_slice() {
                circle.dot cx=(px(x.px(only.0))) cy=(px(y.px(only.1))) r="3" {}
            }
        }
    }
}

/// A value for the script: a quantile to six decimals, anything larger to two.
fn short(value: f64) -> String {
    let text = if value.abs() < 10.0 { format!("{value:.6}") } else { format!("{value:.2}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// As many points as the screen can show: of those on one column of pixels the least and the greatest.
fn thinned(points: &[(f64, f64)], x: &Scale, width: f64) -> Vec<(f64, f64)> {
    const COLUMN_PX: f64 = 4.0;
    if points.len() as f64 <= width / 2.0 {
        return points.to_vec();
    }
    let mut thin: Vec<(f64, f64)> = Vec::new();
    for column in points.chunk_by(|a, b| (x.px(a.0) / COLUMN_PX).floor() == (x.px(b.0) / COLUMN_PX).floor()) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (least, greatest) = (column.iter().min_by(by_value), column.iter().max_by(by_value));
        let mut ends: Vec<_> = [least, greatest].into_iter().flatten().copied().collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        ends.dedup();
        thin.extend(ends);
    }
    thin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_peaks() {
        let points: Vec<_> = (0..10_000).map(|n| (f64::from(n), if n == 4_321 { 99.0 } else { 1.0 })).collect();
        let thin = thinned(&points, &Scale::between(0.0, 10_000.0).at(0.0, 300.0), 300.0);
        assert!(thin.len() <= 152, "{}", thin.len());
        assert!(thin.contains(&(4_321.0, 99.0)));
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
    }
}
