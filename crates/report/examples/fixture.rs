//! Renders made-up results, to look at a report without measuring anything:
//! `cargo run -p plimsoll-report --example fixture -- WHICH FORMAT OUT [FORMAT OUT]...`.

#[path = "../tests/report/sample.rs"]
mod sample;

use plimsoll_report::{Format, Style, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = sample::ALL.iter().map(|(name, _)| *name).collect();
    let is_whole = |outputs: &[String]| !outputs.is_empty() && outputs.len().is_multiple_of(2);
    let Some((which, outputs)) = arguments.split_first().filter(|(_, outputs)| is_whole(outputs)) else {
        return Err(format!("expected {} FORMAT OUT [FORMAT OUT]...", names.join("|")).into());
    };
    let found = sample::ALL.iter().find(|(name, _)| name == which);
    let (_, results) = found.ok_or_else(|| format!("`{which}` is not a fixture: use one of {}", names.join(", ")))?;
    for output in outputs.chunks_exact(2) {
        let (format, path): (Format, _) = (output[0].parse()?, &output[1]);
        std::fs::write(path, render(format, results, &Style::default())).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}
