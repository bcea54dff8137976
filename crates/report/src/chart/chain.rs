//! Boxes in a row, joined by arrows: how full each is, and the queue before it.

use maud::{Markup, html};

use super::{px, scale::round_up, text_width};

/// A chain of boxes.
pub struct ChainChart {
    /// Description for screen readers.
    pub label: String,
    /// Boxes in order.
    pub boxes: Vec<ChainBox>,
}

/// A box of a chain.
pub struct ChainBox {
    /// Its name.
    pub name: String,
    /// Its figures, below the name.
    pub figures: String,
    /// How full it is, from 0 to 1; none where that is not known.
    pub share: Option<f64>,
    /// Requests that wait before it.
    pub waiting: f64,
    /// The same in words; empty if none do.
    pub queue: String,
    /// Words above a marked box; none if it is not marked.
    pub mark: Option<&'static str>,
    /// Every value, for hover and for screen readers.
    pub tip: String,
}

const LINE: f64 = 16.0;
const PADDING: f64 = 8.0;
/// Height of the words above a marked box.
const HEAD: f64 = 20.0;
/// Gaps between boxes: an arrow, or an arrow with a queue above it.
const ARROW: f64 = 26.0;
const QUEUE: f64 = 78.0;
/// The most dots of a queue, by columns of three.
const DOTS: f64 = 24.0;
const IN_COLUMN: usize = 3;
const STEP: f64 = 7.0;
/// Boxes that would be narrower stand below each other.
const NARROWEST: f64 = 104.0;
const WIDEST: f64 = 190.0;
const STANDING: f64 = 220.0;

/// A box with its place and the text in it.
struct Placed {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    names: Vec<String>,
    figures: Vec<String>,
}

impl ChainChart {
    /// Drawn `width` wide.
    pub fn draw(&self, width: f64) -> Markup {
        let count = self.boxes.len().max(1) as f64;
        let gaps: f64 = (0..self.boxes.len()).map(|index| self.gap(index)).sum();
        let each = ((width - gaps) / count).min(WIDEST);
        let is_lying = each >= NARROWEST;
        let placed = if is_lying { self.lying(each) } else { self.standing() };
        let height = placed.iter().map(|it| it.y + it.height).fold(0.0, f64::max) + 3.0;
        let per_dot = per_dot(self.boxes.iter().map(|it| it.waiting).fold(0.0, f64::max));
        html! {
            svg.chart.chain viewBox=(format!("0 0 {} {}", px(width), px(height)))
                role="group" aria-label=(self.label) tabindex="0" {
                @for (index, (one, at)) in self.boxes.iter().zip(&placed).enumerate() {
                    g.mark.limit[one.mark.is_some()] {
                        title { (one.tip) }
                        @if is_lying { (before_lying(one, at, self.gap(index), per_dot)) }
                        @else { (before_standing(one, at, index > 0, per_dot)) }
                        (draw_box(one, at, is_lying))
                    }
                }
            }
        }
    }

    /// How many requests a dot of a queue stands for; none where there is no queue.
    pub fn per_dot(&self) -> Option<f64> {
        let most = self.boxes.iter().map(|it| it.waiting).fold(0.0, f64::max);
        self.boxes.iter().any(|it| !it.queue.is_empty()).then(|| per_dot(most))
    }

    fn gap(&self, index: usize) -> f64 {
        match (index, self.boxes[index].queue.is_empty()) {
            (_, false) => QUEUE,
            (0, true) => 1.0,
            (_, true) => ARROW,
        }
    }

    /// Places the boxes beside each other, all as high as the highest.
    fn lying(&self, width: f64) -> Vec<Placed> {
        let mut x = 0.0;
        let mut placed = Vec::new();
        for (index, one) in self.boxes.iter().enumerate() {
            x += self.gap(index);
            placed.push(Placed { x, y: HEAD, width, ..written(one, width) });
            x += width;
        }
        let height = placed.iter().map(|it| it.height).fold(0.0, f64::max);
        placed.iter_mut().for_each(|it| it.height = height);
        placed
    }

    /// Places the boxes below each other.
    fn standing(&self) -> Vec<Placed> {
        let mut y = 1.0;
        let mut placed = Vec::new();
        for (index, one) in self.boxes.iter().enumerate() {
            y += match (index, one.queue.is_empty()) {
                (_, false) => ARROW + STEP,
                (0, true) => 0.0,
                (_, true) => ARROW - STEP,
            };
            let it = Placed { x: 2.0, y, width: STANDING, ..written(one, STANDING) };
            y += it.height;
            placed.push(it);
        }
        placed
    }
}

fn written(one: &ChainBox, width: f64) -> Placed {
    let room = width - 2.0 * PADDING;
    let (names, figures) = (wrapped(&one.name, room), wrapped(&one.figures, room));
    let height = (names.len() + figures.len()) as f64 * LINE + 2.0 * PADDING;
    Placed { x: 0.0, y: 0.0, width, height, names, figures }
}

/// Lines no wider than `room`, broken at spaces, and at full stops within words that are too long.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let words = text.split_inclusive(' ').flat_map(|word| {
        let is_long = text_width(word.trim_end()) > room;
        word.split_inclusive(if is_long { '.' } else { ' ' })
    });
    for piece in words {
        match lines.last_mut() {
            Some(line) if text_width(line) + text_width(piece.trim_end()) <= room => line.push_str(piece),
            _ => lines.push(piece.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

fn draw_box(one: &ChainBox, at: &Placed, is_lying: bool) -> Markup {
    let middle = at.x + at.width / 2.0;
    let lines = (at.names.len() + at.figures.len()) as f64;
    let top = at.y + (at.height - lines * LINE) / 2.0;
    let baseline = |line: usize| top + (line as f64 + 0.75) * LINE;
    let full = at.height * one.share.unwrap_or(0.0);
    html! {
        rect.vessel x=(px(at.x)) y=(px(at.y)) width=(px(at.width)) height=(px(at.height)) rx="3" {}
        @if full > 0.5 {
            rect.filled x=(px(at.x)) y=(px(at.y + at.height - full)) width=(px(at.width)) height=(px(full)) rx="3" {}
        }
        @for (line, text) in at.names.iter().enumerate() {
            text.head x=(px(middle)) y=(px(baseline(line))) text-anchor="middle" { (text) }
        }
        @for (line, text) in at.figures.iter().enumerate() {
            text.name x=(px(middle)) y=(px(baseline(at.names.len() + line))) text-anchor="middle" { (text) }
        }
        @if let Some(mark) = one.mark {
            @if is_lying {
                text.marked x=(px(middle)) y=(px(at.y - 7.0)) text-anchor="middle" { (mark) }
            } @else {
                text.marked x=(px(at.x + at.width + 10.0)) y=(px(at.y + at.height / 2.0 + 4.0)) { (mark) }
            }
        }
    }
}

/// An arrow from the left, above it the queue, below it how many wait.
fn before_lying(one: &ChainBox, at: &Placed, gap: f64, per_dot: f64) -> Markup {
    let (end, y) = (at.x - 3.0, at.y + at.height / 2.0);
    let start = at.x - gap + 3.0;
    html! {
        @if gap > 1.0 {
            path.arrow d=(format!("M{0} {2}H{1}m-5 -4l5 4l-5 4", px(start), px(end), px(y))) {}
            @for (column, row) in dots(one.waiting, per_dot) {
                circle.waits cx=(px(end - 8.0 - STEP * column as f64)) cy=(px(y - 9.0 - STEP * row as f64)) r="2.6" {}
            }
            text.name x=(px(f64::midpoint(start, end))) y=(px(y + 18.0)) text-anchor="middle" { (one.queue) }
        }
    }
}

/// An arrow from above, beside it the queue and how many wait.
fn before_standing(one: &ChainBox, at: &Placed, has_one_above: bool, per_dot: f64) -> Markup {
    let x = at.x + 24.0;
    let length = if one.queue.is_empty() { ARROW - STEP } else { ARROW + STEP } - 6.0;
    let found = dots(one.waiting, per_dot);
    let columns = found.iter().map(|dot| dot.0 + 1).max().unwrap_or(0) as f64;
    html! {
        @if has_one_above || !one.queue.is_empty() {
            path.arrow d=(format!("M{0} {1}V{2}m-4 -5l4 5l4 -5", px(x), px(at.y - 3.0 - length), px(at.y - 3.0))) {}
            @for &(column, row) in &found {
                @let (cx, cy) = (x + 14.0 + STEP * column as f64, at.y - 10.0 - STEP * row as f64);
                circle.waits cx=(px(cx)) cy=(px(cy)) r="2.6" {}
            }
            text.name x=(px(x + 18.0 + STEP * columns)) y=(px(at.y - 12.0)) { (one.queue) }
        }
    }
}

/// A round number of requests, so that no queue has too many dots.
fn per_dot(most: f64) -> f64 {
    round_up((most / DOTS).max(1.0))
}

/// Columns and rows of the dots of a queue, from its head.
fn dots(waiting: f64, per_dot: f64) -> Vec<(usize, usize)> {
    let count = (waiting / per_dot).round().min(DOTS) as usize;
    let count = if waiting >= 0.5 { count.max(1) } else { 0 };
    (0..count).map(|dot| (dot / IN_COLUMN, dot % IN_COLUMN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_has_a_dot_for_a_round_number_of_requests() {
        assert_eq!([3.0, 24.0, 25.0, 79.0, 822.0].map(per_dot), [1.0, 1.0, 2.0, 5.0, 50.0]);
        assert_eq!(dots(79.0, 5.0).len(), 16);
        assert_eq!(dots(0.6, 5.0), [(0, 0)]);
        assert!(dots(0.4, 1.0).is_empty());
        assert_eq!(dots(4.0, 1.0), [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }

    #[test]
    fn long_names_break_at_spaces_and_full_stops() {
        let lines = wrapped("the executor of com.sun.net.httpserver", 110.0);
        assert_eq!(lines, ["the executor of", "com.sun.net.", "httpserver"]);
        let lines = wrapped("the executor of com.sun.net.httpserver", 180.0);
        assert_eq!(lines, ["the executor of", "com.sun.net.httpserver"]);
        assert!(wrapped("", 110.0).is_empty());
    }

    #[test]
    fn boxes_stand_where_they_cannot_lie() {
        let one = |waiting| ChainBox {
            name: "pool".to_owned(),
            figures: "1 of 2 busy".to_owned(),
            share: Some(0.5),
            waiting,
            queue: if waiting > 0.0 { format!("{waiting} wait") } else { String::new() },
            mark: None,
            tip: "pool".to_owned(),
        };
        let chart = ChainChart { label: "chain".to_owned(), boxes: vec![one(0.0), one(7.0), one(0.0)] };
        let widths = |drawn: Markup| drawn.into_string().matches("width=\"220\"").count();
        assert_eq!((widths(chart.draw(900.0)), widths(chart.draw(350.0))), (0, 6), "three boxes, each half full");
    }
}
