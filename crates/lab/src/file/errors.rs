//! Errors in experiment files: each with its place, printed as compilers print theirs.

use plimsoll_text::{counted, printable_line};
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// A place in an experiment file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// 1-based.
    pub line: u32,
    /// In characters, 1-based.
    pub column: u32,
    /// The keys that lead there, e.g. `variants.web-jar.packaging`; empty for the file as a whole.
    pub field: String,
}

/// A value with the place it was read from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct At<T> {
    pub value: T,
    pub place: Place,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileError {
    /// Where; none if it concerns no line of the file, e.g. because it cannot be read.
    pub place: Option<Place>,
    /// Expected and found values, and the remedy.
    pub message: String,
    /// Another place that has to do with it, and what is there.
    pub related: Option<(Place, String)>,
}

/// Everything that is wrong with an experiment file, in the file's order.
///
/// It prints as `path:line:column: field: message` with the source line and a caret below, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileErrors {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// Never empty.
    pub errors: Vec<FileError>,
    source: String,
}

impl FileErrors {
    pub(super) fn new(path: &Path, source: &str, mut errors: Vec<FileError>) -> Self {
        // An error in a place that several variants inherit is found once for each of them.
        errors.sort();
        errors.dedup();
        Self { path: path.to_owned(), errors, source: source.to_owned() }
    }

    /// The file as a whole cannot be used, e.g. because it cannot be read.
    pub(super) fn whole(path: &Path, message: String) -> Self {
        Self::new(path, "", vec![FileError { place: None, message, related: None }])
    }

    fn write(&self, error: &FileError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        let Some(place) = &error.place else { return writeln!(f, "{path}: {}", error.message) };
        write!(f, "{path}:{}:{}: ", place.line, place.column)?;
        if !place.field.is_empty() {
            write!(f, "{}: ", place.field)?;
        }
        writeln!(f, "{}", error.message)?;
        self.write_source_line(place, f)?;
        match &error.related {
            Some((other, what)) => {
                writeln!(f, "{path}:{}:{}: {what}", other.line, other.column)?;
                self.write_source_line(other, f)
            }
            None => Ok(()),
        }
    }

    /// The line with a caret under the column, both cut to what fits a terminal.
    fn write_source_line(&self, place: &Place, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDTH: usize = 100;
        let Some(line) = self.source.lines().nth(place.line.saturating_sub(1) as usize) else { return Ok(()) };
        let column = place.column.saturating_sub(1) as usize;
        let from = if column < WIDTH { 0 } else { column - WIDTH / 2 };
        let shown: String = printable_line(line).chars().skip(from).take(WIDTH).collect();
        let number = place.line.to_string();
        writeln!(f, "  {number} | {}", shown.trim_end())?;
        writeln!(f, "  {:width$} | {:indent$}^", "", "", width = number.len(), indent = column - from)
    }
}

impl fmt::Display for FileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.errors {
            self.write(error, f)?;
        }
        write!(f, "{} in {}", counted(self.errors.len() as u64, "error"), self.path.display())
    }
}

impl std::error::Error for FileErrors {}

/// Errors as they are found; reading goes on after each, so that the user sees all of them at once.
#[derive(Debug, Default)]
pub(super) struct Errors(Vec<FileError>);

impl Errors {
    pub fn push(&mut self, place: &Place, message: impl Into<String>) {
        self.0.push(FileError { place: Some(place.clone()), message: message.into(), related: None });
    }

    pub fn push_related(&mut self, place: &Place, message: impl Into<String>, other: &Place, what: impl Into<String>) {
        let related = Some((other.clone(), what.into()));
        self.0.push(FileError { place: Some(place.clone()), message: message.into(), related });
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_vec(self) -> Vec<FileError> {
        self.0
    }
}
