//! From levels and scripts to what is driven.

use plimsoll_drive::{Job, Options, Scenario, Script, ScriptText};
use plimsoll_record::LevelPlan;
use url::Url;

use crate::{
    experiment::{Connecting, Experiment, Variant},
    placeholders::Placeholders,
};

/// The job of these levels, which are driven together, each with its script, against a variant at `placeholders`.
///
/// # Errors
/// The texts that cannot be requested, and why.
pub fn job<'p>(
    experiment: &Experiment,
    levels: impl Iterator<Item = (&'p LevelPlan, &'p ScriptText)>,
    variant: &Variant,
    placeholders: &Placeholders,
    round: u32,
) -> Result<Job, String> {
    let base = url(&variant.url, placeholders)?;
    let scenario = |(level, text): (&LevelPlan, &ScriptText)| {
        let script = script(text, &base, placeholders)?;
        let (name, start, trace) = (level.label.clone(), level.start, level.trace);
        let limits = level.limits.clone();
        Ok(Scenario { name, start, trace, limits, ..Scenario::new(level.load.clone(), script) })
    };
    let scenarios = levels.map(scenario).collect::<Result<_, String>>()?;
    // All variants of a round meet the same arrivals, another round meets others.
    let Connecting { connection, keep_alive, connect_timeout } = experiment.connecting.clone();
    let (seed, response_timeout) = (experiment.plan.seed.wrapping_add(u64::from(round)), variant.response_timeout);
    let options = Options { response_timeout, connect_timeout, keep_alive, connection, seed, ..Options::default() };
    Ok(Job { scenarios, options })
}

fn script(text: &ScriptText, base: &Url, placeholders: &Placeholders) -> Result<Script, String> {
    let mut text = text.clone();
    for constant in placeholders.constants() {
        text.variables.iter_mut().filter(|it| it.0 == constant.0).for_each(|it| it.clone_from(&constant));
    }
    text.resolve(base).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error| text.describe(error)).collect();
        lines.join("\n")
    })
}

/// The URL that a template stands for.
///
/// # Errors
/// It is none.
pub fn url(template: &str, placeholders: &Placeholders) -> Result<Url, String> {
    let url = placeholders.fill(template);
    Url::parse(&url).map_err(|error| format!("`{url}` is not a URL: {error}"))
}
