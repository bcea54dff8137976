//! Files of data: CSV, and JSON lines.

use std::path::Path;

use plimsoll_drive::{files, script::Table};
use serde_json::{Map, Value};

/// Reads the table at `path`; or a message explaining why it cannot be used.
pub(super) fn read(path: &Path) -> Result<Table, String> {
    let text = files::read_text(path, files::DATA_BYTES_MAX)
        .map_err(|why| format!("cannot read {}: {why}; expected a file of text in UTF-8", path.display()))?;
    // Some programs begin a file with a mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let table = match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl" | "ndjson" | "json") => json_lines(text),
        _ => csv(text),
    };
    let table = table.map_err(|problem| format!("{}: {problem}", path.display()))?;
    if table.rows.is_empty() {
        return Err(format!("{}: expected at least one row of data, found none", path.display()));
    }
    Ok(table)
}

fn csv(text: &str) -> Result<Table, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let texts = |record: &csv::StringRecord| record.iter().map(|field| field.trim().to_owned()).collect::<Vec<_>>();
    let columns = texts(reader.headers().map_err(|error| error.to_string())?);
    if columns.iter().any(String::is_empty) {
        return Err("expected the names of the columns in the first line, found one without a name".to_owned());
    }
    let rows = reader.records().map(|record| record.map(|record| texts(&record)));
    Ok(Table { columns, rows: rows.collect::<Result<_, _>>().map_err(|error| error.to_string())? })
}

/// The first object says which columns there are.
fn json_lines(text: &str) -> Result<Table, String> {
    let mut table = Table::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let object: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| format!("line {number}: expected a JSON object: {error}"))?;
        if table.rows.is_empty() {
            table.columns = object.keys().cloned().collect();
        }
        if table.columns.is_empty() {
            return Err(format!("line {number}: expected an object with the columns, found an empty one"));
        }
        let field = |column: &String| match object.get(column) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(value) => Ok(value.to_string()),
            None => Err(format!("line {number}: `{column}` is missing, which the first line has")),
        };
        table.rows.push(table.columns.iter().map(field).collect::<Result<_, _>>()?);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn both_forms_are_read() {
        let expected =
            Table { columns: words(&["id", "name"]), rows: vec![words(&["1", "Ann, \"A\""]), words(&["2", "Björn"])] };
        assert_eq!(csv("id,name\n1,\"Ann, \"\"A\"\"\"\n2, Björn\n"), Ok(expected.clone()));
        let lines = "{\"id\": 1, \"name\": \"Ann, \\\"A\\\"\"}\n\n{\"name\": \"Björn\", \"id\": 2, \"more\": null}\n";
        assert_eq!(json_lines(lines), Ok(expected));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_data() {
        let folder = tempfile::tempdir().unwrap();
        let expected =
            Table { columns: words(&["id", "name"]), rows: vec![words(&["1", "Ann, \"A\""]), words(&["2", "Björn"])] };
        for (name, text) in [
            ("x.csv", "\u{feff}id,name\n1,\"Ann, \"\"A\"\"\"\n2, Björn\n"),
            ("x.jsonl", "\u{feff}{\"id\": 1, \"name\": \"Ann, \\\"A\\\"\"}\n{\"id\": 2, \"name\": \"Björn\"}\n"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(read(&path), Ok(expected.clone()), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert!(csv("a,b\n1\n").unwrap_err().contains("line: 2"), "{:?}", csv("a,b\n1\n"));
        assert!(csv("a,\n1,2\n").unwrap_err().contains("without a name"));
        assert!(json_lines("{\"a\": 1}\n[1]\n").unwrap_err().starts_with("line 2: expected a JSON object"));
        assert!(json_lines("{}\n{\"a\": 1}\n").unwrap_err().starts_with("line 1: expected an object with the columns"));
        assert!(json_lines("{\"a\": 1}\n{\"b\": 1}\n").unwrap_err().starts_with("line 2: `a` is missing"));
        let absent = read(Path::new("no-such.csv")).unwrap_err();
        assert!(absent.contains("no-such.csv"), "{absent}");
    }
}
