//! Renders made-up results, to look at a report without measuring anything:
//! `cargo run -p plimsoll-report --example fixture -- WHICH FORMAT OUT`.

#[path = "../tests/report/sample.rs"]
mod sample;

use plimsoll_report::{Format, Style, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = sample::ALL.iter().map(|(name, _)| *name).collect();
    let [which, format, path] = arguments.as_slice() else {
        return Err(format!("expected three arguments: {} FORMAT OUT", names.join("|")).into());
    };
    let found = sample::ALL.iter().find(|(name, _)| name == which);
    let (_, results) = found.ok_or_else(|| format!("`{which}` is not a fixture: use one of {}", names.join(", ")))?;
    let format: Format = format.parse()?;
    std::fs::write(path, render(format, results, &Style::default())).map_err(|error| format!("{path}: {error}"))?;
    Ok(())
}
