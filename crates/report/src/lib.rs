//! Reports: the results of an execution, laid out for a terminal, a browser, a document, a program or a spreadsheet.
//!
//! A report prints values of [`Results`] and computes no statistic of its own. Tables, words and numbers that several
//! formats have are made once, in `content`; each format lays it out. To add a format, write its module and add it to
//! [`FORMATS`].

mod chart;
mod comparison;
mod content;
mod csv;
mod digest;
mod export;
mod github;
mod html;
mod json;
mod junit;
mod markdown;
pub mod metrics;
mod prose;
mod terminal;
mod trend;
mod tuning;

pub use comparison::{COMPARISON_FORMATS, comparison};
pub use digest::{Digest, Outcome, digest, digest_of_summary, key_figure};
pub use export::{EXPORTS, ExportInfo};
pub use github::{Source, annotations, comparison_annotations};
pub use html::frame;
pub use json::escaped;
pub use trend::{TREND_FORMATS, trend};
pub use tuning::{TUNING_FORMATS, tuning};

use std::borrow::Cow;

use plimsoll_analysis::{
    Results,
    results::{Comparison, PublishedResults},
};

/// A kind of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables that fit a terminal.
    Terminal,
    /// One self-contained page with charts.
    Html,
    /// GitHub's Markdown, for documents and pull requests.
    Markdown,
    /// The results as they are: see [`plimsoll_analysis::results`].
    Json,
    /// One row per variant, level and statistic.
    Csv,
    /// A test case per claim, threshold, load line and run, for CI.
    Junit,
}

/// A format: name, use and renderer.
#[derive(Clone, Copy)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// The name in `--format NAME`.
    pub name: &'static str,
    /// Extension of its files, without the dot.
    pub extension: &'static str,
    /// Its use, in a few words.
    pub about: &'static str,
    render: fn(&Results, &Style) -> String,
}

/// Every format, in the order in which help lists them.
pub const FORMATS: &[FormatInfo] = &[
    FormatInfo {
        format: Format::Terminal,
        name: "terminal",
        extension: "txt",
        about: "tables that fit a terminal",
        render: terminal::render,
    },
    FormatInfo {
        format: Format::Html,
        name: "html",
        extension: "html",
        about: "one self-contained page with charts",
        render: html::render,
    },
    FormatInfo {
        format: Format::Markdown,
        name: "markdown",
        extension: "md",
        about: "tables for documents and pull requests",
        render: markdown::render,
    },
    FormatInfo {
        format: Format::Json,
        name: "json",
        extension: "json",
        about: "every figure, for programs",
        render: json::render,
    },
    FormatInfo {
        format: Format::Csv,
        name: "csv",
        extension: "csv",
        about: "one row per variant, level and statistic",
        render: csv::render,
    },
    FormatInfo {
        format: Format::Junit,
        name: "junit",
        extension: "xml",
        about: "JUnit's XML, for CI: a test case per claim, threshold, load line and run",
        render: junit::render,
    },
];

impl Format {
    /// Its name, use and renderer.
    pub fn info(self) -> &'static FormatInfo {
        FORMATS.iter().find(|info| info.format == self).expect("every format is in the list")
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    /// Reads a name of [`FORMATS`]; the error lists them.
    fn from_str(name: &str) -> Result<Self, String> {
        FORMATS.iter().find(|info| info.name == name).map(|info| info.format).ok_or_else(|| {
            let names = FORMATS.iter().map(|info| info.name);
            format!("expected a report format, {}", plimsoll_text::one_of_but_found(names, name))
        })
    }
}

/// Layout of text. Only the terminal report uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns that a line may take.
    pub width: usize,
    /// Whether to write ANSI colours.
    pub colour: bool,
    /// Whether only the first answer is wanted: what fits on a screen.
    pub is_brief: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 100, colour: false, is_brief: false }
    }
}

/// The report of `results` in `format`.
pub fn render(format: Format, results: &Results, style: &Style) -> String {
    let text = (format.info().render)(results, style);
    match format {
        Format::Html | Format::Markdown => cleaned(text),
        // These clean each piece of text: colours, and the line ends of CSV, are control characters themselves.
        Format::Terminal | Format::Json | Format::Csv | Format::Junit => text,
    }
}

/// The same with a comparison of the execution, in formats that are one document for people or for CI; other formats
/// leave it out.
pub fn render_against(format: Format, results: &Results, compared: &Comparison, style: &Style) -> String {
    match format {
        Format::Html => cleaned(html::against(results, compared)),
        Format::Markdown => cleaned(markdown::against(results, compared)),
        Format::Junit => junit::against(results, compared),
        Format::Terminal | Format::Json | Format::Csv => render(format, results, style),
    }
}

/// The text without characters that a browser or an editor would interpret.
fn cleaned(text: String) -> String {
    match plimsoll_text::printable(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(cleaned) => cleaned,
    }
}

/// Audit of published figures, for a terminal; empty if there are none.
pub fn audit(published: &PublishedResults, style: &Style) -> String {
    terminal::audit(published, style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_an_unknown_one_is_answered_with_the_list() {
        for info in FORMATS {
            assert_eq!(info.name.parse(), Ok(info.format));
        }
        assert_eq!(
            "pdf".parse::<Format>(),
            Err("expected a report format, one of `terminal`, `html`, `markdown`, `json`, `csv`, `junit`, found `pdf`"
                .to_owned())
        );
    }
}
