//! Outputs of an execution: a report of its results, or an export of its record.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::builder::{PossibleValue, PossibleValuesParser};
use plimsoll_analysis::{Results, results::Comparison};
use plimsoll_record::ExecutionData;
use plimsoll_report::{EXPORTS, ExportInfo, FORMATS, FormatInfo, Style};
use plimsoll_text::one_of_but_found;

/// A format.
#[derive(Clone, Copy)]
pub enum Output {
    Report(&'static FormatInfo),
    Export(&'static ExportInfo),
}

impl Output {
    fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(Self::Report).chain(EXPORTS.iter().map(Self::Export))
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Report(info) => info.name,
            Self::Export(info) => info.name,
        }
    }

    pub const fn about(self) -> &'static str {
        match self {
            Self::Report(info) => info.about,
            Self::Export(info) => info.about,
        }
    }

    pub fn render(self, data: &ExecutionData, results: &Results, style: &Style) -> String {
        match self {
            Self::Report(info) => plimsoll_report::render(info.format, results, style),
            Self::Export(info) => info.render(data),
        }
    }

    /// The same with what `compared` says of it.
    pub fn render_against(
        self,
        data: &ExecutionData,
        results: &Results,
        compared: &Comparison,
        style: &Style,
    ) -> String {
        match self {
            Self::Report(info) => plimsoll_report::render_against(info.format, results, compared, style),
            Self::Export(_) => self.render(data, results, style),
        }
    }

    /// Help of the flag that takes a [`Destination`].
    pub fn help() -> String {
        let names = Self::all().map(Self::name).collect::<Vec<_>>().join(", ");
        format!(
            "Report printed at the end: one of {names}. With =FILE it is written there; may be given again \
             [default: {}]",
            FORMATS[0].name
        )
    }

    /// For clap: names with what they are for.
    pub fn possible_values() -> PossibleValuesParser {
        Self::all().map(|output| PossibleValue::new(output.name()).help(output.about())).collect::<Vec<_>>().into()
    }
}

impl FromStr for Output {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all().find(|output| output.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(Self::name).collect();
            format!("expected a format, {}", one_of_but_found(names.iter().copied(), name))
        })
    }
}

/// A format and where it goes, `FORMAT` or `FORMAT=FILE`.
#[derive(Clone)]
pub struct Destination {
    pub output: Output,
    /// None: stdout.
    pub file: Option<PathBuf>,
}

impl Destination {
    /// The terminal report on stdout.
    pub fn terminal() -> Self {
        Self { output: Output::Report(&FORMATS[0]), file: None }
    }

    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

impl FromStr for Destination {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err(format!("expected a file after `{text}`, e.g. json=result.json")),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        Ok(Self { output: name.parse()?, file })
    }
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {:?}", self.output.name(), self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_may_name_its_file() {
        let read = |text: &str| text.parse::<Destination>().map(|it| (it.output.name(), it.file));
        assert_eq!(read("json"), Ok(("json", None)));
        assert_eq!(read("hlog=a=b.hlog"), Ok(("hlog", Some(PathBuf::from("a=b.hlog")))));
        assert!(read("json=").unwrap_err().contains("expected a file"));
        let unknown = read("pdf=x").unwrap_err();
        assert!(unknown.contains("`pdf`") && unknown.contains("html") && unknown.contains("prom"), "{unknown}");
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<_> = Output::all().map(Output::name).collect();
        assert_eq!(names.len(), Output::all().count());
    }
}
