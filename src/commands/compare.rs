//! `plimsoll compare`, and comparisons with a baseline after a run.

use std::{path::Path, process::ExitCode};

use plimsoll_analysis::{
    Results, analyse,
    compare::{DifferentLoads, Executed, Options, compare, different_loads},
    results::{Changed, Comparison},
};
use plimsoll_record::{ExecutionData, Plan, Store};
use plimsoll_report::{COMPARISON_FORMATS, Format, comparison};
use plimsoll_secrets::mask;
use plimsoll_text::quoted;

use super::{ci, load::outputs, print, report, style_of_stdout, which};
use crate::{
    cli::{AgainstArgs, CompareArgs, RecordArgs},
    failure::{Failure, NOT_KEPT},
    output::{Destination, Output},
};

pub fn execute(arguments: &CompareArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    let formats = destinations.iter().map(format).collect::<Result<Vec<Format>, _>>()?;
    outputs::check(&destinations)?;
    let store = Store::open_existing(arguments.record.path())?;
    let [before, after] = which::two(&store, &arguments.executions)?;
    if before == after {
        return Err(Failure::input(format_args!("expected two executions, found #{before} twice")));
    }
    let options = Options { tolerance: arguments.tolerance, is_anyway: arguments.anyway };
    let after = store.read(after)?;
    let found = with(&store.read(before)?, &after, &analyse(&after), options)?;
    for (destination, format) in destinations.iter().zip(formats) {
        match destination.file() {
            Some(file) => report::write(file, &mask(&comparison(format, &found, &Default::default())))?,
            None => print(&mask(&comparison(format, &found, &style_of_stdout(arguments.output.full))))?,
        }
    }
    ci::tell_comparison(&found, None);
    Ok(exit_code(&found))
}

/// The format, if a comparison has it.
fn format(destination: &Destination) -> Result<Format, Failure> {
    match destination.output {
        Output::Report(info) if COMPARISON_FORMATS.contains(&info.format) => Ok(info.format),
        other => {
            let names = quoted(COMPARISON_FORMATS.iter().map(|format| format.info().name));
            Err(Failure::input(format_args!("-o {}: a comparison is told as {names}", other.name())))
        }
    }
}

fn with(
    before: &ExecutionData,
    after: &ExecutionData,
    results: &Results,
    options: Options,
) -> Result<Comparison, Failure> {
    let old = analyse(before);
    let executed = [(before, &old), (after, results)];
    let [old, new] = executed.map(|(data, results)| Executed { plan: &data.execution.plan, results });
    compare(&old, &new, options).map_err(|DifferentLoads(loads)| {
        let new = format!("#{}", after.execution.id);
        let is_found =
            |data: &ExecutionData| data.execution.plan.explain.as_ref().is_some_and(|it| it.has_found_load());
        let remedy = "`plimsoll compare --anyway` compares them all the same";
        let remedy = match [before, after].into_iter().any(is_found) {
            true => format!("`plimsoll explain -c N` offers the same to each; {remedy}"),
            false => remedy.to_owned(),
        };
        refused(before, &new, &loads, &remedy)
    })
}

fn refused(before: &ExecutionData, after: &str, loads: &[Changed], remedy: &str) -> Failure {
    let told: String = loads.iter().map(difference).collect();
    Failure::input(format_args!(
        "the loads of #{} and {after} differ, so that their figures say nothing about each other:\n{told}{remedy}",
        before.execution.id
    ))
}

fn difference(changed: &Changed) -> String {
    let value = |it: &Option<String>| it.clone().unwrap_or_else(|| "none".to_owned());
    format!("  {}: {} → {}\n", changed.name, value(&changed.before), value(&changed.after))
}

fn exit_code(found: &Comparison) -> ExitCode {
    match () {
        () if found.is_worse() => ExitCode::from(NOT_KEPT),
        () if found.is_incomplete => ExitCode::FAILURE,
        () => ExitCode::SUCCESS,
    }
}

/// The execution to compare with: asked for before anything is launched.
pub struct Against<'a> {
    before: ExecutionData,
    options: Options,
    is_full: bool,
    file: Option<&'a Path>,
}

impl<'a> Against<'a> {
    /// None unless one is wanted. `file` is the experiment's, `plan` what is going to be measured.
    pub fn find(
        arguments: &AgainstArgs,
        record: &RecordArgs,
        is_full: bool,
        file: Option<&'a Path>,
        plan: &Plan,
    ) -> Result<Option<Self>, Failure> {
        let Some(name) = &arguments.baseline else { return Ok(None) };
        let store = Store::open_existing(record.path())?;
        let before = store.read(which::baseline(&store, name)?)?;
        let loads = different_loads([&before.execution.plan, plan]);
        if !loads.is_empty() {
            let remedy = format!("run it without --baseline, and `plimsoll baseline set {name}` then");
            return Err(refused(&before, "this one", &loads, &remedy));
        }
        Ok(Some(Self { before, options: arguments.options(), is_full, file }))
    }

    /// The differences.
    ///
    /// # Errors
    ///
    /// If the loads differ after all.
    pub fn compared(&self, data: &ExecutionData, results: &Results) -> Result<Comparison, Failure> {
        let mut found = with(&self.before, data, results, self.options)?;
        // Its words go into reports of this execution, whose own are masked.
        for changed in &mut found.changed {
            [&mut changed.before, &mut changed.after].into_iter().flatten().for_each(|value| *value = mask(value));
        }
        found.doubts.iter_mut().chain(&mut found.left_out).for_each(|text| *text = mask(text));
        Ok(found)
    }

    /// Tells the differences after the report; whether a figure is surely worse. Below a report that programs read they
    /// are on stderr.
    pub fn tell(&self, found: &Comparison, reports: &[Destination]) -> Result<bool, Failure> {
        let is_for_people = reports.iter().any(|it| {
            it.file.is_none() && matches!(it.output, Output::Report(info) if info.format == Format::Terminal)
        });
        let text = mask(&comparison(Format::Terminal, found, &style_of_stdout(self.is_full)));
        if is_for_people {
            print(&format!("\n{text}"))?;
        } else {
            tell!("{text}");
        }
        ci::tell_comparison(found, self.file);
        Ok(found.is_worse())
    }
}
