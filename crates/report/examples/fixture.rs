//! Renders a made-up execution, to look at a report without measuring anything:
//! `cargo run -p plimsoll-report --example fixture -- WHICH FORMAT OUT`, of which WHICH is one of
//! experiment|benchmarks|many|load|flow|scenarios|greetings.

#[path = "../tests/report/sample/mod.rs"]
mod sample;

use plimsoll_report::{Format, Style, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [which, format, path] = arguments.as_slice() else {
        return Err(
            "expected three arguments: experiment|benchmarks|many|load|flow|scenarios|greetings FORMAT OUT".into()
        );
    };
    let results = match which.as_str() {
        "experiment" => sample::experiment(),
        "benchmarks" => sample::benchmarks(),
        "many" => sample::many(),
        "load" => sample::load(),
        "flow" => sample::flow(),
        "scenarios" => sample::scenarios(),
        "greetings" => plimsoll_analysis::analyse(&plimsoll_analysis::testing::greetings()),
        other => {
            return Err(format!(
                "`{other}` is not a fixture: use experiment, benchmarks, many, load, flow, scenarios or greetings"
            )
            .into());
        }
    };
    let format: Format = format.parse()?;
    std::fs::write(path, render(format, &results, &Style::default())).map_err(|error| format!("{path}: {error}"))?;
    Ok(())
}
