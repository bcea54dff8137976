//! `plimsoll list`: a line for each execution, with its verdict and key figures.

use std::process::ExitCode;

use plimsoll_record::{ExecutionStatus, ExecutionSummary, Listed, Store, VariantSummary};
use plimsoll_report::key_figure;
use plimsoll_text::{columns, printable_line};
use unicode_width::UnicodeWidthStr;

use super::{print, results, width_of_stdout};
use crate::{cli::ListArgs, failure::Failure};

/// Key figures that a line has room for, the most telling first.
const SHOWN: [&str; 4] = ["line", "line_users", "throughput", "p99"];

pub fn execute(arguments: &ListArgs) -> Result<ExitCode, Failure> {
    let mut store = Store::open_existing(arguments.record.path())?;
    let all = results::listed(&mut store, None)?;
    let baselines = store.baselines()?;
    if arguments.json {
        let document = serde_json::json!({ "format": 1, "executions": all, "baselines": baselines });
        let text = serde_json::to_string_pretty(&document).map_err(Failure::running)?;
        print(&plimsoll_report::escaped(&(text + "\n")))?;
        return Ok(ExitCode::SUCCESS);
    }
    let head = ["id", "started (UTC)", "verdict", "key figures", "what"].map(str::to_owned);
    let rows = all.iter().map(|it| {
        let names = baselines.iter().filter(|baseline| baseline.execution == it.id).map(|baseline| &*baseline.name);
        row(it, &names.collect::<Vec<_>>())
    });
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    let widths = [0, 1, 2, 3].map(|column: usize| columns::widest(rows.iter().map(|row| &*row[column])));
    let most = width_of_stdout().unwrap_or(usize::MAX);
    let mut text = String::new();
    for row in &rows {
        let id = format!("{}{}", " ".repeat(widths[0] - row[0].width()), row[0]);
        let padded = [1, 2, 3].map(|it: usize| columns::padded(&row[it], widths[it]));
        let line = format!("{id}  {}  {}", padded.join("  "), row[4]);
        text.push_str(columns::cut(line.trim_end(), most).trim_end());
        text.push('\n');
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn row(execution: &Listed, baselines: &[&str]) -> [String; 5] {
    let started: String = execution.started_at.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    let command = &execution.environment.command;
    let what = match &execution.environment.merged {
        Some(merged) => format!("{} of {} parts merged: {command}", merged.parts.len(), merged.count),
        None => format!("{}: {command}", execution.name),
    };
    let what = if baselines.is_empty() { what } else { format!("[{}] {what}", baselines.join(", ")) };
    let figures = execution.summary.as_ref().map(figures).unwrap_or_default();
    [execution.id.to_string(), started, verdict(execution), figures, what].map(|it| printable_line(&it).into_owned())
}

/// `2 hold, 1 fails`; how it ended, if that says more.
fn verdict(execution: &Listed) -> String {
    let ended = match execution.status {
        ExecutionStatus::Running => return "unfinished".to_owned(),
        ExecutionStatus::Interrupted => Some("interrupted"),
        ExecutionStatus::Failed => Some("failed"),
        ExecutionStatus::Done => None,
    };
    let summary = execution.summary.clone().unwrap_or_default();
    let (claims, thresholds) = (summary.claims, summary.thresholds);
    let is_incomplete = summary.runs_done < summary.runs_planned;
    let told = [
        ended.map(str::to_owned),
        (claims.fail > 0).then(|| format!("{} ✗", claims.fail)),
        (claims.undecided > 0).then(|| format!("{} ?", claims.undecided)),
        (claims.hold > 0).then(|| format!("{} ✓", claims.hold)),
        (thresholds.exceeded > 0).then(|| format!("{} exceeded", thresholds.exceeded)),
        (thresholds.kept > 0).then(|| format!("{} kept", thresholds.kept)),
        (ended.is_none() && is_incomplete).then(|| format!("{}/{} runs", summary.runs_done, summary.runs_planned)),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    if told.is_empty() { "done".to_owned() } else { told.join(" ") }
}

/// Figures of the first variant that has any: `193/s p99 1.05 s +2`.
fn figures(summary: &ExecutionSummary) -> String {
    let measured: Vec<&VariantSummary> =
        summary.variants.iter().filter(|it| it.figures.iter().any(|it| SHOWN.contains(&&*it.name))).collect();
    let Some(first) = measured.first() else { return String::new() };
    let told = |name: &str| first.figures.iter().find(|it| it.name == name).and_then(key_figure);
    let mut shown: Vec<String> = SHOWN.into_iter().filter_map(told).take(2).collect();
    shown.extend(told("errors"));
    if measured.len() > 1 {
        shown.push(format!("+{}", measured.len() - 1));
    }
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{ClaimTally, Environment, KeyFigure, ThresholdTally};

    use super::*;

    fn listed(summary: ExecutionSummary) -> Listed {
        Listed {
            id: 7,
            name: "orders".to_owned(),
            title: String::new(),
            started_at: "2026-05-04T09:30:12Z".to_owned(),
            ended_at: None,
            status: ExecutionStatus::Done,
            environment: Environment { command: "plimsoll run orders.yaml".to_owned(), ..Environment::default() },
            summary: Some(summary),
        }
    }

    fn figure(name: &str, unit: &str, value: f64) -> KeyFigure {
        KeyFigure { name: name.to_owned(), unit: unit.to_owned(), value, interval: None }
    }

    #[test]
    fn a_line_has_verdict_and_key_figures_of_the_first_variant() {
        let figures = vec![figure("throughput", "/s", 193.4), figure("p99", "ms", 1_051.0), figure("errors", "%", 0.5)];
        let variant = VariantSummary { name: "web".to_owned(), level: None, figures };
        let summary = ExecutionSummary {
            claims: ClaimTally { hold: 2, fail: 1, undecided: 0 },
            thresholds: ThresholdTally { kept: 3, exceeded: 0 },
            runs_done: 6,
            runs_planned: 6,
            variants: vec![variant.clone(), variant],
            ..ExecutionSummary::default()
        };
        assert_eq!(
            row(&listed(summary), &["main"]),
            [
                "7",
                "2026-05-04 09:30",
                "1 ✗ 2 ✓ 3 kept",
                "193/s p99 1.05 s 0.500 % errors +1",
                "[main] orders: plimsoll run orders.yaml"
            ]
        );
        assert_eq!(row(&listed(ExecutionSummary::default()), &[])[2], "done");
    }
}
