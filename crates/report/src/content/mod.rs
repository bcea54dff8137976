//! Content that formats share: tables, facts and sentences, as text that a format only has to lay out.

pub mod bars;
pub mod benchmarks;
pub mod block;
pub mod brief;
pub mod by_load;
pub mod chain;
pub mod claims;
pub mod comparison;
pub mod curve;
pub mod environment;
pub mod errors;
pub mod explanation;
pub mod figures;
pub mod findings;
pub mod first;
pub mod levels;
pub mod limits;
pub mod line;
pub mod load;
pub mod outline;
pub mod packagings;
pub mod part;
pub mod problems;
pub mod proof;
pub mod published;
pub mod ratios;
pub mod requests;
pub mod resources;
pub mod sockets;
pub mod summary;
pub mod target;
pub mod thresholds;
pub mod trend;
pub mod upstream;

/// A table of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Title above the table; may be empty.
    pub title: String,
    /// Heads of the columns. The first column names the row and is aligned left.
    pub columns: Vec<Column>,
    /// Rows, each with a cell for every column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Head, with the unit if the cells have none.
    pub head: String,
    /// Numbers are aligned right.
    pub align: Align,
    /// Whether its words are never shortened, as they are the answer.
    pub is_whole: bool,
}

/// Alignment of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

impl Column {
    /// A column of words.
    pub fn words(head: impl Into<String>) -> Self {
        Self { head: head.into(), align: Align::Left, is_whole: false }
    }

    /// A column of words that are never shortened.
    pub fn whole(head: impl Into<String>) -> Self {
        Self { is_whole: true, ..Self::words(head) }
    }

    /// A column of numbers.
    pub fn numbers(head: impl Into<String>) -> Self {
        Self { head: head.into(), align: Align::Right, is_whole: false }
    }
}
