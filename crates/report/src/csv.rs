//! Long form for spreadsheets and data frames: one row per variant, level and statistic, quoted as RFC 4180 says.
//!
//! `level` is empty for figures of a variant as a whole, and the benchmark's name for scores. `median`, `min` and `max`
//! are over rounds; `values` holds one value per round, apart by `;`.

use csv::Writer;
use plimsoll_analysis::Results;

use crate::{
    Style,
    content::figures::{self, Named},
};

const HEAD: [&str; 9] = ["variant", "level", "statistic", "unit", "median", "min", "max", "rounds", "values"];

/// The rows, with a head.
pub fn render(results: &Results, _: &Style) -> String {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(HEAD).expect(MEMORY);
    for variant in &results.variants {
        for named in figures::of_variant(variant) {
            write(&mut writer, &variant.name, "", &named);
        }
        for level in variant.levels.iter().flatten() {
            for named in figures::of_level(level) {
                write(&mut writer, &variant.name, &level.label, &named);
            }
        }
    }
    for benchmark in &results.benchmarks {
        for score in &benchmark.scores {
            let named = Named { name: "score".to_owned(), unit: &benchmark.unit, figure: &score.score };
            write(&mut writer, &score.variant, &score.label, &named);
        }
    }
    String::from_utf8(writer.into_inner().expect(MEMORY)).expect("every cell is text")
}

const MEMORY: &str = "writing to memory does not fail";

fn write(writer: &mut Writer<Vec<u8>>, variant: &str, level: &str, named: &Named<'_>) {
    let figure = named.figure;
    let values = figure.rounds.iter().map(f64::to_string).collect::<Vec<_>>().join(";");
    let row = [
        variant,
        level,
        &named.name,
        named.unit,
        &figure.median.to_string(),
        &figure.min.to_string(),
        &figure.max.to_string(),
        &figure.rounds.len().to_string(),
        &values,
    ];
    writer.write_record(row).expect(MEMORY);
}
