//! `plimsoll check`: says what an experiment file would run, or all that is wrong with it.

use std::{path::Path, process::ExitCode};

use plimsoll_analysis::claims;
use plimsoll_lab::{
    experiment::Experiment,
    file::{self, ExperimentFile},
};
use plimsoll_record::{LevelPlan, Phase};

use crate::{cli::CheckArgs, failure::Failure};

pub fn execute(arguments: &CheckArgs) -> Result<ExitCode, Failure> {
    for path in &arguments.files {
        let file = read(path)?;
        can_be_run(&file, &file.experiment)?;
        super::print(&summary(path, &file.experiment))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads an experiment file and checks what it says, claims included.
pub fn read(path: &Path) -> Result<ExperimentFile, Failure> {
    let file = file::load(path, super::draw_seed()).map_err(Failure::input)?;
    let plan = &file.experiment.plan;
    let variants: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
    let levels = level_labels(&plan.levels);
    let problem = |expression: &str| claims::parse(expression).and_then(|claim| claim.check(&variants, &levels)).err();
    let problems: Vec<_> = (0..)
        .zip(&plan.claims)
        .filter_map(|(index, claim)| problem(&claim.expression).map(|error| (index, error.column, error.message)))
        .collect();
    if !problems.is_empty() {
        return Err(Failure::input(file.claim_errors(problems)));
    }
    Ok(file)
}

/// Checks that this machine can run `experiment`, which has all or some of the variants of `file`.
pub fn can_be_run(file: &ExperimentFile, experiment: &Experiment) -> Result<(), Failure> {
    plimsoll_lab::check(experiment).map_err(|error| {
        let names = file.experiment.plan.variants.iter().map(|variant| &variant.name);
        let index = names.take_while(|name| **name != error.variant).count();
        Failure::input(file.variant_error(index, error.problem))
    })?;
    for level in &experiment.plan.levels {
        plimsoll_drive::check_load(&level.load, &experiment.connecting.connection)
            .map_err(|error| Failure::input(format_args!("level `{}`: {error}", level.label)))?;
    }
    Ok(())
}

/// What claims and tables call the measured levels, the stages of ramps among them.
pub fn level_labels(levels: &[LevelPlan]) -> Vec<&str> {
    let measured = levels.iter().filter(|level| level.phase == Phase::Measured);
    measured.flat_map(LevelPlan::labels).map(String::as_str).collect()
}

fn summary(path: &Path, experiment: &Experiment) -> String {
    let plan = &experiment.plan;
    let names: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
    let levels = level_labels(&plan.levels);
    format!(
        "{}: fine\n  {} variants: {}\n  {} levels: {}\n  {} rounds, {} runs, {} claims\n",
        path.display(),
        names.len(),
        names.join(", "),
        levels.len(),
        levels.join(", "),
        plan.rounds,
        plan.rounds as usize * names.len(),
        plan.claims.len(),
    )
}
