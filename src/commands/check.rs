//! `plimsoll check`: says what an experiment file would run, or all that is wrong with it; and what is wrong with the
//! figures that it has from others.

use std::{path::Path, process::ExitCode};

use plimsoll_analysis::claims::{self, ClaimExpression};
use plimsoll_lab::{
    experiment::{Experiment, Variant},
    explain,
    file::{self, ExperimentFile, Names},
};
use plimsoll_record::{Explained, LevelPlan, LinePlan, LoadUnit, Nanos, ObjectivePlan, Phase, Plan, VariantPlan};
use plimsoll_text::{count, counted};

use super::{launched, missing::Missing};
use crate::{cli::CheckArgs, failure::Failure, live::shown, project};

pub fn execute(arguments: &CheckArgs) -> Result<ExitCode, Failure> {
    let artifacts = project::artifacts();
    for path in &arguments.files {
        let mut file = read(path, None)?;
        let mut text = summary(path, &mut file)?;
        text.push_str(&launched::command_lines(&artifacts, &file)?);
        let mut missing = Missing::default();
        missing.add(&artifacts, &file.experiment);
        for pace in file.paces.iter().skip(1) {
            let mut file = read(path, Some(pace))?;
            text.push_str(&summary(path, &mut file)?);
            missing.add(&artifacts, &file.experiment);
        }
        text.push_str(&missing.text());
        // Only this is made safe to show: the audit's table, which is clean, has colours.
        let mut text = shown(&text);
        let published = file.experiment.plan.published.as_ref().map(plimsoll_analysis::audit);
        text.extend(
            published
                .iter()
                .map(|it| plimsoll_secrets::mask(&plimsoll_report::audit(it, &super::style_of_stdout(true)))),
        );
        super::print(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads an experiment file at a pace, or at its first, and checks what it says, claims included. Claims may name what
/// there is at any pace.
pub fn read(path: &Path, pace: Option<&str>) -> Result<ExperimentFile, Failure> {
    let file = file::load(path, pace, super::draw_seed()).map_err(Failure::input)?;
    let Names { variants, levels, requests, lines } = &file.names;
    let [variants, levels, requests, lines] =
        [variants, levels, requests, lines].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
    let unit = file.experiment.plan.line.as_ref().map_or(LoadUnit::PerSecond, LinePlan::unit);
    let names = file.experiment.plan.variants.iter().map(|variant| variant.name.as_str());
    let kept: Vec<_> = names.zip(file.experiment.variants.iter().map(Variant::kept_series)).collect();
    let problem = |expression: &str| {
        let claim = claims::parse(expression).and_then(|claim| claim.check(&variants, &levels).map(|()| claim));
        let claim = claim.and_then(|claim| claim.check_requests(&variants, &requests).map(|()| claim));
        claim.and_then(|claim| claim.check_series(&kept).and_then(|()| claim.check_lines(&lines, unit))).err()
    };
    let problems: Vec<_> = (0..)
        .zip(&file.experiment.plan.claims)
        .filter_map(|(index, claim)| problem(&claim.expression).map(|error| (index, error.column, error.message)))
        .collect();
    if !problems.is_empty() {
        return Err(Failure::input(file.claim_errors(problems)));
    }
    Ok(file)
}

/// Leaves out the claims about variants, levels or requests that do not run, for they say nothing about this execution;
/// how many they are.
pub fn leave_out_claims(plan: &mut Plan) -> usize {
    let before = plan.claims.len();
    let names: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
    let levels = level_labels(&plan.levels);
    let lines = plan.line.iter().flat_map(|line| &line.objectives).map(|line| line.name.as_str());
    let lines: Vec<&str> = lines.collect();
    let requests: Vec<&str> = plan.levels.iter().flat_map(|level| &level.requests).map(String::as_str).collect();
    let unit = plan.line.as_ref().map_or(LoadUnit::PerSecond, LinePlan::unit);
    let is_there = |claim: &ClaimExpression| {
        claim.check(&names, &levels).is_ok()
            && claim.check_requests(&names, &requests).is_ok()
            && claim.check_lines(&lines, unit).is_ok()
    };
    plan.claims.retain(|claim| claims::parse(&claim.expression).is_ok_and(|claim| is_there(&claim)));
    before - plan.claims.len()
}

/// Checks that this machine can run `experiment`, which has all or some of the variants of `file`.
pub fn can_be_run(file: &ExperimentFile, experiment: &Experiment) -> Result<(), Failure> {
    plimsoll_lab::check(experiment).map_err(|error| {
        let names = file.experiment.plan.variants.iter().map(|variant| &variant.name);
        let index = names.take_while(|name| **name != error.variant).count();
        Failure::input(file.variant_error(index, error.problem))
    })?;
    let connection = &experiment.connecting.connection;
    for level in &experiment.plan.levels {
        plimsoll_drive::check_load(&level.load, connection)
            .map_err(|error| Failure::input(format_args!("level `{}`: {error}", level.label)))?;
    }
    if let Some(line) = &experiment.plan.line {
        plimsoll_drive::check_load(&line.open(1.0, line.at_most), connection)
            .map_err(|error| Failure::input(format_args!("`line`: {error}")))?;
    }
    Ok(())
}

/// Labels of the measured levels in claims and tables, the stages of ramps among them.
pub fn level_labels(levels: &[LevelPlan]) -> Vec<&str> {
    let measured = levels.iter().filter(|level| level.phase == Phase::Measured);
    measured.flat_map(LevelPlan::labels).map(String::as_str).collect()
}

/// `3 rounds`, or `3 to 20 rounds`.
fn rounds(plan: &Plan) -> String {
    let most = counted(plan.rounds.into(), "round");
    plan.until_decided.map_or_else(|| most.clone(), |until| format!("{} to {most}, until decided", until.at_least))
}

/// `  load line: p(99)<200ms; each run searches for 25 s at most, after 10 s at most of warm-up: …`.
fn search(line: &LinePlan, runs: u64) -> String {
    let of_line = |it: &ObjectivePlan| {
        let name = if it.name.is_empty() { String::new() } else { format!("{}: ", it.name) };
        format!("{name}{}", it.thresholds.join(" and "))
    };
    let objectives = line.objectives.iter().map(of_line).collect::<Vec<_>>().join(", ");
    let users = line.users.map_or_else(String::new, |think| match think.mean() {
        Nanos::ZERO => " in users without think time".to_owned(),
        mean => format!(" in users with {mean} of think time"),
    });
    let cold = line.cold.map_or_else(String::new, |cold| format!(" of cold processes, in their first {cold}"));
    let apart = if line.cold.is_some() { ", start-ups apart" } else { "" };
    let all = Nanos(line.longest().0.saturating_mul(runs));
    let (at_most, warm_up) = (line.at_most, line.warm_up);
    format!(
        "  load line{users}{cold}: {objectives}; each run searches for {at_most} at most, after {warm_up} at most until it is warm: \
         {all} at most in all{apart}\n"
    )
}

/// `  explained after the first round’s runs: tuned at 500, tuned at 2,700; that adds 30 s`.
fn explained(plan: &Plan) -> String {
    let Some(explain) = &plan.explain else { return String::new() };
    let load = |of: &Explained| match &of.level {
        Some(label) => format!("{} at {}", of.variant, plimsoll_record::label_for_people(label)),
        None => of.variant.clone(),
    };
    let loads_of = |variant: &&VariantPlan| explain.of.iter().filter(|of| of.variant == variant.name).count();
    let lengths =
        plan.variants.iter().map(|variant| loads_of(&variant)).filter(|&loads| loads > 0).map(explain::length);
    let length = Nanos::from_secs(lengths.map(|length| length.as_secs_f64().round() as u64).sum());
    let loads: Vec<String> = explain.of.iter().map(load).collect();
    format!("  explained after the runs of the first round: {}, which takes {length} more\n", loads.join(", "))
}

/// The runs of the file at one pace, all possible on this machine.
fn summary(path: &Path, file: &mut ExperimentFile) -> Result<String, Failure> {
    can_be_run(file, &file.experiment)?;
    let plan = &mut file.experiment.plan;
    let left_out = leave_out_claims(plan);
    let names: Vec<String> = plan.variants.iter().map(|variant| variant.name.clone()).collect();
    let levels: Vec<String> = level_labels(&plan.levels).into_iter().map(plimsoll_record::label_for_people).collect();
    let pace = plan.pace.as_ref().map_or_else(String::new, |pace| format!(" at pace {pace}"));
    let left_out =
        if left_out == 0 { String::new() } else { format!(" ({} more at another pace)", count(left_out as u64)) };
    let listed = |count: &str, names: &[String]| match names {
        [] => String::new(),
        _ => format!("  {count}: {}\n", names.join(", ")),
    };
    let runs = u64::from(plan.rounds) * names.len() as u64;
    let search = plan.line.as_ref().map(|line| search(line, runs)).unwrap_or_default();
    Ok(format!(
        "{}: fine{pace}\n{}{}{search}{}  {}, {}{}, {}{left_out}\n",
        path.display(),
        listed(&counted(names.len() as u64, "variant"), &names),
        listed(&counted(levels.len() as u64, "level"), &levels),
        explained(plan),
        rounds(plan),
        counted(runs, "run"),
        launched::duration(plan, &file.experiment.variants),
        counted(plan.claims.len() as u64, "claim"),
    ))
}
