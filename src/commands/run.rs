//! `plimsoll run`: an experiment from its file to its report.

use std::process::ExitCode;

use plimsoll_analysis::{Results, claims};
use plimsoll_lab::{experiment::Experiment, file::explain_all};
use plimsoll_record::{ExecutionStatus, RunStatus};
use plimsoll_text::{plural, quoted};

use super::{
    bench::{Bench, why_parts_are_lost},
    check, ci,
    compare::Against,
    load::outputs,
    nothing::succeeded_nowhere,
    prove,
};
use crate::{
    cli::RunArgs,
    failure::{BAD_INPUT, Failure, INTERRUPTED, NOT_KEPT, PARTS_MISSING},
};

pub fn execute(arguments: &RunArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    outputs::check(&destinations)?;
    let file = check::read(&arguments.file, arguments.pace.as_deref())?;
    let experiment = adjust(file.experiment.clone(), arguments)?;
    check::can_be_run(&file, &experiment)?;
    let against = Against::find(
        &arguments.against,
        &arguments.record,
        arguments.output.full,
        Some(&arguments.file),
        &experiment.plan,
    )?;
    if arguments.prove.is_wanted() || experiment.proof.is_some() {
        prove::check_formats(&destinations, arguments.prove.is_wanted())?;
    }
    let Some(bench) = Bench::new(arguments, experiment.generator.as_ref())? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if arguments.prove.is_wanted() {
        let is_whole = prove::execute(&bench, &experiment, &destinations)?;
        return Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) });
    }
    let (status, data, results) = bench.run(&experiment)?;
    let against = against.filter(|_| status == ExecutionStatus::Done);
    let compared = against.as_ref().map(|against| against.compared(&data, &results)).transpose()?;
    outputs::write(&destinations, arguments.output.full, &data, &results, compared.as_ref())?;
    bench.write_html(&results, compared.as_ref());
    ci::tell(&data, &results, Some(&arguments.file));
    let is_incomplete = compared.as_ref().is_some_and(|compared| compared.is_incomplete);
    let is_worse = match against.zip(compared) {
        Some((against, compared)) => against.tell(&compared, &destinations)?,
        None => false,
    };
    let is_proven = experiment.proof.is_some() && status == ExecutionStatus::Done;
    if is_proven && !prove::execute(&bench, &experiment, &destinations)? {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(exit_code(arguments, status, &results, [is_worse, is_incomplete]))
}

/// Changes by flags.
fn adjust(mut experiment: Experiment, arguments: &RunArgs) -> Result<Experiment, Failure> {
    let plan = &mut experiment.plan;
    if let Some(rounds) = arguments.rounds {
        plan.rounds = rounds;
        plan.until_decided = None;
    }
    plan.seed = arguments.seed.unwrap_or(plan.seed);
    let names: Vec<String> = plan.variants.iter().map(|variant| variant.name.clone()).collect();
    let is_used = |pattern: &&String| names.iter().any(|name| claims::matches(pattern, name));
    if let Some(unused) = arguments.only.iter().find(|pattern| !is_used(pattern)) {
        let names = quoted(names.iter().map(String::as_str));
        return Err(Failure::input(format_args!("--only {unused}: no variant matches; there are {names}")));
    }
    let all = arguments.only.is_empty();
    let wanted = |name: &str| all || arguments.only.iter().any(|pattern| claims::matches(pattern, name));
    let mut keep = names.iter().map(|name| wanted(name));
    experiment.variants.retain(|_| keep.next().unwrap_or(false));
    plan.variants.retain(|variant| wanted(&variant.name));
    let variants = &plan.variants;
    if let Some(explain) = &mut plan.explain {
        explain.of.retain(|of| variants.iter().any(|variant| variant.name == of.variant));
    }
    plan.explain = plan.explain.take().filter(|explain| !explain.of.is_empty());
    let loaded = plan.variants.iter().zip(&experiment.variants).filter(|(_, variant)| variant.is_loaded());
    let loaded: Vec<String> = loaded.map(|(variant, _)| variant.name.clone()).collect();
    if let Some(proof) = &mut experiment.proof {
        // A proof without names is about the only variant.
        let had_names = !proof.variants.is_empty();
        proof.variants.retain(|name| loaded.contains(name));
        let is_left = !(had_names && proof.variants.is_empty());
        experiment.proof = experiment.proof.take().filter(|_| is_left);
    }
    if arguments.explain {
        let loaded: Vec<&str> = loaded.iter().map(String::as_str).collect();
        explain_all(plan, &loaded).map_err(|why| Failure::input(format_args!("--explain: {why}")))?;
    }
    let left_out = check::leave_out_claims(plan);
    if left_out > 0 && !arguments.quiet {
        let are = plural(left_out as u64, "claim is", "claims are");
        tell!("{are} not judged: variants or levels that they name do not run this time.");
    }
    Ok(experiment)
}

/// `is_worse` and `is_incomplete` beside a baseline.
fn exit_code(
    arguments: &RunArgs,
    status: ExecutionStatus,
    results: &Results,
    [is_worse, is_incomplete]: [bool; 2],
) -> ExitCode {
    let none_done = results.execution.runs_done == 0;
    let none_possible =
        results.runs.iter().all(|run| matches!(run.status, RunStatus::Skipped | RunStatus::BuildFailed));
    match status {
        ExecutionStatus::Interrupted => ExitCode::from(INTERRUPTED),
        _ if why_parts_are_lost(results).is_some() => ExitCode::from(PARTS_MISSING),
        _ if none_done && none_possible => ExitCode::from(BAD_INPUT),
        _ if is_worse || super::has_exceeded_threshold(results) => ExitCode::from(NOT_KEPT),
        _ if super::hold_nowhere(&results.lines) => ExitCode::from(NOT_KEPT),
        _ if arguments.strict && super::fails_strictly(results) => ExitCode::from(NOT_KEPT),
        _ if results.runs.iter().any(|run| run.status.is_failure()) => ExitCode::FAILURE,
        _ if is_incomplete || succeeded_nowhere(results) => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}
