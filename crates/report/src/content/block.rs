//! Blocks that sections are made of, and renderers lay out.

use std::borrow::Cow;

use plimsoll_analysis::results::{Verdict, Weight};

use super::{Table, load::Bar};

/// A part of a section.
pub enum Block {
    /// A heading within the section.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// How to read what stands above.
    Aside(Cow<'static, str>),
    /// A table, its title above it.
    Table(Table),
    /// Tables that repeat a drawing: folded where drawings are shown.
    Folded(&'static str, Vec<Block>),
    /// Labels with texts.
    Facts(Vec<(String, String)>),
    /// Claims, judged.
    Claims(Vec<Judged>),
    /// A list of marked lines.
    Items(Vec<Item>),
    /// The last lines of a process.
    Output(Vec<String>),
    /// Steps of response time with their shares.
    Histogram(Vec<Bar>),
    /// A chart in letters of one width, for a terminal; empty if there is nothing to draw.
    Characters(Vec<String>),
    /// Something drawn; where it cannot be, a label with the text that says it.
    Drawn {
        /// The label.
        label: &'static str,
        /// The text; a line breaks at its plain spaces only.
        text: String,
        /// The drawing.
        figure: Figure,
    },
    /// Something drawn, by renderers that can.
    Figure(Figure),
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Good to know.
    Plain,
    /// It needs a look.
    Doubt,
    /// It fails.
    Bad,
}

/// A line after a word that stands out.
pub struct Item {
    /// Meaning of the word.
    pub tone: Tone,
    /// The word.
    pub word: String,
    /// The line.
    pub text: String,
}

/// A claim with its verdict.
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The claim in words.
    pub says: String,
    /// Figure and interval; none where nothing was measured.
    pub figure: Option<String>,
    /// The expression that was judged.
    pub expression: String,
    /// Why, and what explains it.
    pub details: Vec<String>,
}

/// A drawing; `usize` is the index of a level, or of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The queues and resources that a request passes.
    Chain(usize),
    /// Where requests are, by load and over time.
    WhereRequestsAre(usize),
    /// The same over the load, after the last explanation of a variant that has several.
    RequestsByLoad(usize),
    /// Load lines as intervals with the rounds beside them.
    LineIntervals,
    /// Percentiles and what they cost against the rate, of each search.
    LineCurve,
    /// Throughput of every variant at every level.
    Throughput,
    /// Response times of every variant at every level.
    ResponseTime,
    /// Bars of a level's figures.
    LevelBars(usize),
    /// Percentile curves.
    Percentiles,
    /// Times of the first requests.
    FirstRequests,
    /// First requests of a level, as a line of steps.
    FirstBars(usize),
    /// A run second by second.
    TimeLine,
    /// Connections in `TIME_WAIT`, as a line of steps.
    TimeWait,
    /// Start-up and peaks.
    Resources,
    /// Packagings compared.
    Packagings,
    /// The same in characters.
    PackagingBars,
    /// All runs in order.
    Runs,
    /// How to read the page.
    Reading,
}

/// How a finding of that weight looks.
pub const fn tone_of(weight: Weight) -> Tone {
    match weight {
        Weight::Info => Tone::Plain,
        Weight::Warning => Tone::Doubt,
        Weight::Contradiction => Tone::Bad,
    }
}
