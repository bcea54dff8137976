//! Every text of a record from elsewhere is hostile; no report and no export hands on what a reader's program obeys.

use plimsoll_analysis::{
    analyse,
    testing::{greetings, recorded},
};
use plimsoll_record::{ExecutionData, RunData};
use plimsoll_report::{EXPORTS, FORMATS, Format, Style, render};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Clears the screen, rings, sets the window's title by C1, turns the direction, breaks the line, hides, closes fences.
const POISON: &str =
    "\u{1b}[2J\u{7}\u{9d}0;x\u{9c}\u{202e}\u{2066}\r\n\u{2028}\u{e0041}\u{7f}```\n# @me [a](http://b) <img src=x>";

/// Whether a terminal, a browser or an editor would obey a character; line breaks are the report's own.
fn is_obeyed(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The value with every text poisoned that its type leaves free: a word of the record's own stays as it is.
fn poisoned<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let mut all = serde_json::to_value(value).unwrap();
    let mut pointers = Vec::new();
    texts(&all, "", &mut pointers);
    for pointer in pointers {
        let text = all.pointer_mut(&pointer).expect("a text that was found");
        let (clean, dirty) = (text.clone(), format!("={}{POISON}", text.as_str().unwrap()));
        *text = dirty.into();
        if serde_json::from_value::<T>(all.clone()).is_err() {
            *all.pointer_mut(&pointer).expect("the same") = clean;
        }
    }
    serde_json::from_value(all).unwrap()
}

/// JSON pointers of every text.
fn texts(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(pointer.to_owned()),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, it)| texts(it, &format!("{pointer}/{index}"), found));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, it)| {
            texts(it, &format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        _ => {}
    }
}

fn poisoned_run(run: &RunData) -> RunData {
    let mut run = run.clone();
    run.run = poisoned(&run.run);
    run.output_tail = poisoned(&run.output_tail);
    run.scores = poisoned(&run.scores);
    run.censuses = poisoned(&run.censuses);
    for level in &mut run.levels {
        level.plan = poisoned(&level.plan);
        level.traced = poisoned(&level.traced);
        for interval in &mut level.intervals {
            interval.errors.values_mut().for_each(|error| error.example += POISON);
            interval.checks = std::mem::take(&mut interval.checks)
                .into_iter()
                .map(|(check, count)| (format!("={check}{POISON}"), count))
                .collect();
        }
    }
    run
}

fn executions() -> Vec<ExecutionData> {
    let poison = |mut data: ExecutionData| {
        data.execution.plan = poisoned(&data.execution.plan);
        data.execution.environment = poisoned(&data.execution.environment);
        data.runs = data.runs.iter().map(poisoned_run).collect();
        data
    };
    [greetings(), recorded::explained()].map(poison).into()
}

#[track_caller]
fn assert_harmless(name: &str, text: &str) {
    // CSV ends lines as its standard asks.
    let text = text.replace("\r\n", "\n");
    let found = text.char_indices().find(|(_, c)| is_obeyed(*c));
    let near = found.map(|(at, _)| text[..at].lines().last().unwrap_or_default());
    assert!(found.is_none(), "{name}: {found:?} after: {near:?}");
}

#[test]
fn no_report_and_no_export_hands_on_what_programs_obey() {
    for data in executions() {
        let results = analyse(&data);
        for info in FORMATS {
            for is_brief in [false, true] {
                let text = render(info.format, &results, &Style { is_brief, ..Style::default() });
                assert!(is_brief || text.contains("[2J"), "{}: the poison is not in it", info.name);
                assert_harmless(info.name, &text);
            }
        }
        for export in EXPORTS {
            assert_harmless(export.name, &export.render(&data));
        }
    }
}

#[test]
fn markdown_has_no_link_picture_mention_or_html_of_others() {
    for data in executions() {
        let report = render(Format::Markdown, &analyse(&data), &Style::default());
        let parts: Vec<&str> = report.split("\n````").collect();
        // Every second part is a chart, in which nothing is obeyed.
        assert!(parts.len() % 2 == 1, "{}", parts.len());
        let report: String = parts.into_iter().step_by(2).collect();
        for sign in ["](", " @me", " <img", "http://"] {
            let text = report.replace("\\]", "");
            let line = text.lines().find(|line| line.contains(sign) && !line.contains('`'));
            assert_eq!(line, None, "{sign}");
        }
    }
}

#[test]
fn no_cell_of_csv_is_calculated() {
    for data in executions() {
        let results = analyse(&data);
        let reports = [render(Format::Csv, &results, &Style::default())];
        let series = EXPORTS.iter().filter(|export| export.extension == "csv").map(|export| export.render(&data));
        for text in reports.into_iter().chain(series) {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let rows: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();
            let mut cells = rows.iter().flatten();
            assert!(rows.iter().any(|row| row[0].starts_with("'=")), "{text:.300}");
            let calculated = cells.find(|cell| cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err());
            assert_eq!(calculated, None);
        }
    }
}
