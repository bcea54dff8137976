//! Lines over two axes.

use maud::{Markup, html};

use super::{px, scale::Scale, series_class};

/// A chart of lines.
pub struct LineChart<'a> {
    /// Description for screen readers.
    pub label: String,
    /// The lower axis.
    pub x: Axis<'a>,
    /// The left axis.
    pub y: Axis<'a>,
    /// The lines.
    pub series: Vec<Series>,
    /// Stretches of the lower axis that are shaded and named.
    pub spans: Vec<SpanMark>,
    /// Height, axes included.
    pub height: f64,
}

/// An axis with its unit.
pub struct Axis<'a> {
    /// Scale from values to coordinates.
    pub scale: Scale,
    /// Quantity and unit.
    pub title: &'a str,
    /// Text of hover values: `{}` stands for the value.
    pub tip: &'a str,
}

/// A line.
pub struct Series {
    /// Its name.
    pub name: String,
    /// CSS class that gives colour and dash.
    pub class: String,
    /// Index of the variant, for highlighting; none if it is always shown.
    pub variant: Option<usize>,
    /// Points, ascending in x.
    pub points: Vec<(f64, f64)>,
    /// Points farther apart in x than this are not joined; negative: all are dots.
    pub max_gap: f64,
    /// Lower edge of an area in a stack at each point; empty for a line.
    pub below: Vec<f64>,
}

impl Series {
    /// The line of variant `index`.
    pub fn of_variant(index: usize, name: &str, points: Vec<(f64, f64)>) -> Self {
        let (class, max_gap) = (series_class(index), f64::INFINITY);
        Self { name: name.to_owned(), class, variant: Some(index), points, max_gap, below: Vec::new() }
    }
}

/// A shaded stretch of the lower axis.
pub struct SpanMark {
    /// Its name.
    pub label: String,
    /// First and last x.
    pub from_to: (f64, f64),
    /// Whether it is shaded less.
    pub faint: bool,
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 24.0;
/// Room above the lines where spans are named there.
const TOP_WITH_SPANS: f64 = 36.0;
const FOOT: f64 = 40.0;

impl LineChart<'_> {
    /// Drawn `width` wide.
    pub fn draw(&self, width: f64) -> Markup {
        let bottom = self.height - FOOT;
        let top = if self.spans.is_empty() { TOP } else { TOP_WITH_SPANS };
        let x = self.x.scale.at(LEFT, width - RIGHT);
        let y = self.y.scale.at(bottom, top);
        html! {
            svg.chart.lines viewBox=(format!("0 0 {} {}", px(width), px(self.height)))
                role="group" aria-label=(self.label)
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
                @for (value, label) in y.ticks(((bottom - TOP) / 38.0).max(3.0) as usize) {
                    line.grid x1=(px(LEFT)) x2=(px(width - RIGHT)) y1=(px(y.px(value))) y2=(px(y.px(value))) {}
                    text x=(px(LEFT - 8.0)) y=(px(y.px(value) + 4.0)) text-anchor="end" { (label) }
                }
                @for (value, label) in apart(x.ticks(((width - LEFT) / 80.0) as usize), x) {
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

/// The ticks whose labels do not touch the one before.
fn apart(ticks: Vec<(f64, String)>, x: &Scale) -> Vec<(f64, String)> {
    let mut free_from = f64::NEG_INFINITY;
    let mut apart = Vec::new();
    for (value, label) in ticks {
        let half = super::text_width(&label) / 2.0;
        if x.px(value) - half >= free_from {
            free_from = x.px(value) + half + 4.0;
            apart.push((value, label));
        }
    }
    apart
}

fn draw_span(span: &SpanMark, x: &Scale, bottom: f64) -> Markup {
    let (from, to) = (x.px(span.from_to.0), x.px(span.from_to.1));
    html! {
        g.level.faint[span.faint] {
            title { (span.label) }
            rect x=(px(from)) width=(px((to - from).max(1.0)))
                y=(px(TOP_WITH_SPANS)) height=(px(bottom - TOP_WITH_SPANS)) {}
            @if super::text_width(&span.label) < to - from {
                text x=(px(f64::midpoint(from, to))) y=(px(TOP_WITH_SPANS - 4.0)) text-anchor="middle" { (span.label) }
            }
        }
    }
}

fn draw_series(series: &Series, x: &Scale, y: &Scale, width: f64) -> Markup {
    // A stack is thinned as a whole.
    let points = if series.below.is_empty() { thinned(&series.points, x, width) } else { series.points.clone() };
    let joined = |from: Option<&(f64, f64)>, to: Option<&(f64, f64)>| match (from, to) {
        (Some(from), Some(to)) => to.0 - from.0 <= series.max_gap,
        _ => false,
    };
    // Single points are drawn again as thicker dots, as nobody would see them otherwise; the script reads `path` alone.
    let (mut path, mut alone) = (String::new(), String::new());
    for (index, point) in points.iter().enumerate() {
        let before = joined(index.checked_sub(1).and_then(|before| points.get(before)), Some(point));
        let after = joined(Some(point), points.get(index + 1));
        let place = format!("{} {}", px(x.px(point.0)), px(y.px(point.1)));
        let drawn = match (before, after) {
            (true, _) => format!("L{place}"),
            (false, true) => format!("M{place}"),
            (false, false) => format!("M{place}z"),
        };
        if drawn.ends_with('z') && series.max_gap >= 0.0 {
            alone += &drawn;
        }
        path += &drawn;
    }
    let below = series.below.iter().copied().chain(std::iter::repeat(0.0));
    let xs = points.iter().map(|point| short(point.0)).collect::<Vec<_>>().join(" ");
    let ys = points.iter().zip(below).map(|(point, below)| short(point.1 - below)).collect::<Vec<_>>().join(" ");
    html! {
        g class={ "series " (series.class) } data-v=[series.variant] data-name=(series.name) {
            title { (series.name) }
            path d=(path) data-x=(xs) data-y=(ys) {}
            @if !alone.is_empty() { path.alone d=(alone) {} }
            @if !series.below.is_empty() { path.area d=(area(series, x, y)) {} }
        }
    }
}

/// The path of an area: along the upper edge and back along the lower one.
fn area(series: &Series, x: &Scale, y: &Scale) -> String {
    // Whole pixels are enough: the line above the area is exact.
    let upper = series.points.iter().copied();
    let lower = series.points.iter().zip(&series.below).map(|(point, &below)| (point.0, below)).rev();
    let places: Vec<_> = upper.chain(lower).map(|(at, value)| format!("{:.0} {:.0}", x.px(at), y.px(value))).collect();
    if places.is_empty() { String::new() } else { format!("M{}z", places.join("L")) }
}

/// A value for the script, to five significant digits.
fn short(value: f64) -> String {
    let decimals = (4.0 - value.abs().max(1e-9).log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// The points that the screen can show: the least and the greatest of each column of pixels.
fn thinned(points: &[(f64, f64)], x: &Scale, width: f64) -> Vec<(f64, f64)> {
    const COLUMN_PX: f64 = 8.0;
    if points.len() as f64 <= width / COLUMN_PX * 2.0 {
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
    fn a_point_that_is_joined_to_none_is_a_dot() {
        let points = vec![(0.0, 1.0), (1.0, 2.0), (9.0, 3.0)];
        let series = Series { max_gap: 2.0, ..Series::of_variant(0, "shop", points) };
        let scale = || Scale::between(0.0, 10.0).at(0.0, 100.0);
        let drawn = draw_series(&series, &scale(), &scale(), 100.0).into_string();
        assert!(drawn.contains(r#"<path d="M0 10L10 20M90 30z" data-x="0 1 9""#), "{drawn}");
        assert!(drawn.contains(r#"<path class="alone" d="M90 30z">"#), "{drawn}");
    }

    #[test]
    fn thinning_keeps_peaks() {
        let points: Vec<_> = (0..10_000).map(|n| (f64::from(n), if n == 4_321 { 99.0 } else { 1.0 })).collect();
        let thin = thinned(&points, &Scale::between(0.0, 10_000.0).at(0.0, 300.0), 300.0);
        assert!(thin.len() <= 102, "{}", thin.len());
        assert!(thin.contains(&(4_321.0, 99.0)));
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
    }
}
