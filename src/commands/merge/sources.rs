//! The records that are to be joined.

use std::path::PathBuf;

use plimsoll_gather::Source;

use crate::{cli::RecordArgs, failure::Failure};

/// Each is a file, `FILE#ID`, or the number of an execution in the record `here`.
pub fn read(texts: &[String], here: &RecordArgs) -> Result<Vec<Source>, Failure> {
    let read = |text: &String| {
        let (file, which) = split(text);
        let record = match file {
            Some(file) => RecordArgs { record: Some(PathBuf::from(file)) },
            None => RecordArgs { record: here.record.clone() },
        };
        let data = record.read(which)?;
        Ok(Source { name: format!("{}#{}", record.path().display(), data.execution.id), data, lost_after: None })
    };
    texts.iter().map(read).collect()
}

/// File, if there is one, and execution.
fn split(text: &str) -> (Option<&str>, &str) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.rsplit_once('#') {
        _ if is_number(text) => (None, text),
        Some((file, number)) if is_number(number) => (Some(file), number),
        _ => (Some(text), "last"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_file_one_of_its_executions_or_a_number() {
        assert_eq!(split("a.db"), (Some("a.db"), "last"));
        assert_eq!(split("a#b.db#12"), (Some("a#b.db"), "12"));
        assert_eq!(split("a#b"), (Some("a#b"), "last"));
        assert_eq!(split("7"), (None, "7"));
    }
}
