//! The curve of a search in characters: the objective's percentile against the offered rate.

use plimsoll_analysis::results::{LineEnd, LineResults, SearchResults};
use plimsoll_text::number::{TimeUnit, in_full, sig3};

use super::line;

/// Rows of the plot if there is room; with its heading and axis the chart has twelve lines.
pub const ROWS: usize = 9;
/// The fewest rows that show anything.
const ROWS_LEAST: usize = 3;
/// Lines beside the rows.
pub const FRAME: usize = 3;
const COLUMNS: usize = 60;
/// Width of the labels before the axis.
const LABEL: usize = 8;

const TRIAL: char = '•';
const LINE: char = '░';
const LIMIT: char = '┄';

/// The lines of the chart, with so many `rows`; none without a percentile, with only one trial, or without room.
pub fn characters(line: &LineResults, search: &SearchResults, rows: usize) -> Option<Vec<String>> {
    let (percentile, limit_ms) = line.percentile.zip(line.limit_ms)?;
    let points: Vec<(f64, f64)> =
        search.trials.iter().filter_map(|trial| Some((trial.load(), trial.percentile_ms?.max(1e-3)))).collect();
    if points.len() < 2 || rows < ROWS_LEAST {
        return None;
    }
    let unit = TimeUnit::fitting(points.iter().map(|point| point.1).chain([limit_ms]));
    let grid = Grid::over(&points, limit_ms, rows);
    let mut cells = vec![vec![' '; COLUMNS]; rows];
    let end = |end: &Option<LineEnd>| end.as_ref().map(|end| grid.column(end.load()));
    // If a side is open only the known end is shaded, instead of all of the chart beyond it.
    let ends = [end(&search.lower), end(&search.upper)];
    if let (Some(&from), Some(&to)) = (ends.iter().flatten().min(), ends.iter().flatten().max()) {
        cells.iter_mut().for_each(|row| row[from..=to].fill(LINE));
    }
    let limit_row = grid.row(limit_ms);
    cells[limit_row].iter_mut().filter(|cell| **cell == ' ').for_each(|cell| *cell = LIMIT);
    for &(rate, ms) in &points {
        cells[grid.row(ms)][grid.column(rate)] = TRIAL;
    }
    let label = |row: usize| match row {
        _ if row == limit_row => unit.show(limit_ms),
        0 => unit.show(grid.high_ms),
        _ if row == rows - 1 => unit.show(grid.low_ms),
        _ => String::new(),
    };
    let drawn = cells
        .iter()
        .enumerate()
        .map(|(row, cells)| format!("{:>LABEL$} ┤{}", label(row), cells.iter().collect::<String>().trim_end()));
    let offered = if line.think_ms.is_some() { "users" } else { "offered rate" };
    let head =
        format!("p{percentile} {} by {offered}   {TRIAL} trial  {LINE} load line  {LIMIT} objective", unit.symbol());
    let axis = format!("{:LABEL$} └{}", "", "─".repeat(COLUMNS));
    Some(std::iter::once(head).chain(drawn).chain([axis, grid.loads(line::unit(line))]).collect())
}

/// A mapping from values to cells: the rate evenly from zero, the time logarithmically.
struct Grid {
    rows: usize,
    rate_max: f64,
    low_ms: f64,
    high_ms: f64,
}

impl Grid {
    fn over(points: &[(f64, f64)], limit_ms: f64, rows: usize) -> Self {
        let times = points.iter().map(|point| point.1).chain([limit_ms]);
        let (low_ms, high_ms) = times.fold((f64::INFINITY, 0.0_f64), |(low, high), ms| (low.min(ms), high.max(ms)));
        Self { rows, rate_max: points.iter().map(|point| point.0).fold(0.0, f64::max), low_ms, high_ms }
    }

    fn column(&self, rate: f64) -> usize {
        ((rate / self.rate_max * COLUMNS as f64) as usize).min(COLUMNS - 1)
    }

    fn row(&self, ms: f64) -> usize {
        let share = (ms / self.low_ms).ln() / (self.high_ms / self.low_ms).ln().max(1e-9);
        let most = self.rows - 1;
        most - ((share * most as f64).round() as usize).min(most)
    }

    /// The labels below the axis: zero, the middle, the highest rate.
    fn loads(&self, unit: &str) -> String {
        let (middle, most) = (sig3(self.rate_max / 2.0), format!("{}{unit}", in_full(self.rate_max, 3)));
        let half = COLUMNS / 2;
        format!("{:LABEL$}  0{middle:>half$}{most:>rest$}", "", rest = COLUMNS - half - 1)
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_analysis::{
        analyse,
        testing::{Line, lines},
    };

    use super::*;

    #[test]
    fn an_open_side_shades_no_more_than_the_end_that_is_known() {
        let shaded = |line: Line| {
            let results = analyse(&lines(&[("web", &[line])], &[]));
            let found = &results.lines[0];
            let drawn = characters(found, &found.searches[0], ROWS).expect("a chart");
            assert_eq!(drawn.len(), ROWS + FRAME);
            drawn[1].chars().filter(|&it| it == LINE).count()
        };
        assert!(shaded(Line::at(50.0)) > 1);
        assert_eq!(shaded(Line { has_upper: false, ..Line::at(50.0) }), 1);
    }

    #[test]
    fn a_chart_without_room_is_left_out() {
        let results = analyse(&lines(&[("web", &[Line::at(50.0)])], &[]));
        let found = &results.lines[0];
        assert_eq!(characters(found, &found.searches[0], ROWS_LEAST - 1), None);
        assert_eq!(characters(found, &found.searches[0], 4).map(|drawn| drawn.len()), Some(4 + FRAME));
    }
}
