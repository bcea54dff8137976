//! The command lines that an experiment would launch, and how long it would take: told by `plimsoll check`.

use plimsoll_lab::{
    artifact::Artifacts,
    experiment::{Program, Variant},
    file::ExperimentFile,
    jvm::{JarOrigin, Jvm},
    packaging::Packaging,
};
use plimsoll_record::{LinePlan, Nanos, Plan};

use crate::failure::Failure;

/// Variants whose command lines are shown; a matrix may have a thousand.
const SHOWN_MOST: usize = 12;

/// A line for each variant of the user's own. Bundled subjects are as their page says.
pub fn command_lines(artifacts: &Artifacts, file: &ExperimentFile) -> Result<String, Failure> {
    let experiment = &file.experiment;
    let mut text = String::new();
    let mut left_out = 0;
    for (index, (variant, plan)) in experiment.variants.iter().zip(&experiment.plan.variants).enumerate() {
        let line = command_line(artifacts, variant).map_err(|why| Failure::input(file.variant_error(index, why)))?;
        match line {
            Some(_) if index >= SHOWN_MOST => left_out += 1,
            Some(line) => text.push_str(&format!("  {}: {line}\n", plan.name)),
            None => {}
        }
    }
    if left_out > 0 {
        text.push_str(&format!("  … and {left_out} more\n"));
    }
    Ok(text)
}

fn command_line(artifacts: &Artifacts, variant: &Variant) -> Result<Option<String>, String> {
    Ok(match &variant.program {
        Program::Jvm(jvm) => service(artifacts, jvm, variant)?,
        Program::Command { argv, .. } => Some(plimsoll_lab::command_text(&variant.env, argv)),
        Program::Running => Some(format!("runs already at {}", plimsoll_secrets::hide::text(&variant.url).text)),
        Program::Benchmarks { .. } => None,
    })
}

fn service(artifacts: &Artifacts, jvm: &Jvm, variant: &Variant) -> Result<Option<String>, String> {
    let Some(own) = jvm.service() else { return Ok(None) };
    if let JarOrigin::Built(build) = &own.jar {
        let of = build.revision.as_ref().map_or_else(String::new, |revision| format!(" of {revision}"));
        let command = plimsoll_lab::command_text(&Default::default(), &build.command);
        return Ok(Some(format!(
            "{}{of}, once it is built by `{command}` in {}",
            build.jar.display(),
            build.folder.display()
        )));
    }
    let Some(artifact) = artifacts.preview(jvm, &variant.env, &variant.limits)? else { return Ok(None) };
    let fact = |name: &str| artifact.facts().get(name).cloned().unwrap_or_default();
    let command = artifact.command_text(&variant.env);
    let packaged = match jvm.packaging {
        Packaging::Jar => String::new(),
        other => format!(", packaged as {}", other.word()),
    };
    Ok(Some(format!("{} on {}{packaged}\n    {command}", fact("framework"), fact("jdk"))))
}

/// `about 3 min of load`, at most where a search decides; empty where iterations end it.
pub fn duration(plan: &Plan, variants: &[Variant]) -> String {
    let runs = u64::from(plan.rounds) * plan.variants.len() as u64;
    let is_launched = variants.iter().any(|variant| !matches!(variant.program, Program::Running));
    let searched = plan.line.as_ref().map(LinePlan::longest);
    match (searched, plan.load_duration()) {
        (Some(_), _) => String::new(),
        (None, Some(each)) if each > Nanos::ZERO => {
            let all = Nanos(each.0.saturating_mul(runs));
            let starts = if is_launched { ", and their start-up times" } else { "" };
            format!(", {all} of load in all{starts}")
        }
        _ => String::new(),
    }
}
