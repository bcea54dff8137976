//! `plimsoll run --prove` and `--tune`: changes what limits a variant, and measures whether that helps.

use std::{path::Path, sync::atomic::Ordering};

use plimsoll_analysis::{
    Results,
    results::{Explanation, Proof, Tuning, Verdict},
};
use plimsoll_lab::{
    experiment::Experiment,
    line::check_objective,
    prove::{self, Trials, WantedProof},
};
use plimsoll_record::{Change, ExecutionStatus, ExplainPlan};
use plimsoll_report::{Format, Style, TUNING_FORMATS, tuning};
use plimsoll_secrets::mask;
use plimsoll_text::quoted;

use super::{
    bench::{Bench, why_parts_are_lost},
    report,
};
use crate::{
    failure::Failure,
    live::shown,
    output::{Destination, Output},
};

/// Throughput needs so many times the users with which it no longer rose, since a change is to make room for more.
const USERS_TIMES: u32 = 4;
/// Comparisons at most.
const MOST: usize = 8;

/// Proves what is wanted by flags, or by the file, of each variant. Whether it came to its end: not by Ctrl-C.
pub fn execute(bench: &Bench<'_>, experiment: &Experiment, destinations: &[Destination]) -> Result<bool, Failure> {
    let arguments = bench.arguments;
    let formats = formats(destinations, arguments.prove.is_wanted())?;
    let mut wanted = arguments.prove.over(experiment.proof.as_ref());
    wanted.rounds = arguments.rounds.unwrap_or(wanted.rounds);
    for objective in &wanted.slo {
        check_objective(objective).map_err(|why| Failure::input(format_args!("--slo '{objective}': {why}")))?;
    }
    let variants = variants(experiment, &wanted)?;
    let mut told = Vec::new();
    let ended = Proving { bench, wanted }.of_each(experiment, &variants, &formats, &mut told);
    // One document, when all is known that will be.
    if !told.is_empty() && formats.contains(&(Format::Json, None)) {
        super::print(&text(Format::Json, &told, &Style::default()))?;
    }
    ended
}

/// The texts of what was proven, without secrets.
fn text(format: Format, told: &[Tuning], style: &Style) -> String {
    mask(&tuning(format, told, style))
}

/// Whether it can be told as is wanted: asked before anything is launched.
pub fn check_formats(destinations: &[Destination], is_alone: bool) -> Result<(), Failure> {
    formats(destinations, is_alone).map(drop)
}

/// The formats in which it is told, with their files. Beside the report of a run, only those that are printed: the
/// files are for that report.
fn formats(destinations: &[Destination], is_alone: bool) -> Result<Vec<(Format, Option<&Path>)>, Failure> {
    let told = destinations.iter().filter(|it| is_alone || it.file.is_none());
    let format = |it: &'_ Destination| match it.output {
        Output::Report(info) if TUNING_FORMATS.contains(&info.format) => Ok(info.format),
        other => {
            let names = quoted(TUNING_FORMATS.iter().map(|format| format.info().name));
            Err(Failure::input(format_args!("-o {}: a proof is told as {names}", other.name())))
        }
    };
    told.map(|it| Ok((format(it)?, it.file()))).collect()
}

/// Indices of the variants that it is about: those that the file names, else the only one.
fn variants(experiment: &Experiment, wanted: &WantedProof) -> Result<Vec<usize>, Failure> {
    let plans = experiment.plan.variants.iter();
    let loaded: Vec<usize> =
        plans.zip(&experiment.variants).enumerate().filter(|(_, (_, it))| it.is_loaded()).map(|it| it.0).collect();
    let name = |index: &usize| experiment.plan.variants[*index].name.as_str();
    let named: Vec<usize> =
        loaded.iter().copied().filter(|index| wanted.variants.iter().any(|it| it == name(index))).collect();
    match (named.is_empty(), loaded.as_slice()) {
        (false, _) => Ok(named),
        (true, [only]) => Ok(vec![*only]),
        (true, []) => Err(Failure::input("benchmarks of JMH carry no load: there is no limit to move")),
        (true, _) => Err(Failure::input(format_args!(
            "a proof is about one variant: name it with --only, or those of the file in its `prove: {{variants: …}}`; there are {}",
            quoted(loaded.iter().map(name))
        ))),
    }
}

/// A proof under way.
struct Proving<'a> {
    bench: &'a Bench<'a>,
    wanted: WantedProof,
}

impl Proving<'_> {
    /// Proves what is wanted of one variant after the other, tells it, and adds it to `told`. Whether it came to its
    /// end.
    fn of_each(
        &self,
        experiment: &Experiment,
        variants: &[usize],
        formats: &[(Format, Option<&Path>)],
        told: &mut Vec<Tuning>,
    ) -> Result<bool, Failure> {
        for &variant in variants {
            let Some(tuning) = self.tune(prove::alone(experiment, variant))? else { return Ok(false) };
            told.push(tuning);
            for (format, file) in formats {
                match file {
                    Some(path) => report::write(path, &text(*format, told, &Style::default()))?,
                    None if *format == Format::Json => {}
                    None => {
                        let style = super::style_of_stdout(self.bench.arguments.output.full);
                        super::print(&text(*format, &told[told.len() - 1..], &style))?;
                    }
                }
            }
            if self.bench.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The tuning; none if it was interrupted before the limit was known.
    fn tune(&self, mut experiment: Experiment) -> Result<Option<Tuning>, Failure> {
        let wanted = &self.wanted;
        let variant = experiment.plan.variants[0].name.clone();
        let plan = ExplainPlan { users: wanted.users, think: wanted.think(), ..ExplainPlan::default() };
        let Some(results) = self.launch(&prove::explanation(&experiment, plan))? else { return Ok(None) };
        let first = explanation_of(&results, &variant)?;
        self.say(&format!("gives way first: {}", first.says));
        let most = ExplainPlan::DEFAULT_USERS_MAX;
        let users = wanted
            .users
            .unwrap_or_else(|| first.users.map_or(most, |users| users.saturating_mul(USERS_TIMES).min(most)));
        let mut told = Tuning {
            variant,
            next: Some(first.clone()),
            first,
            proofs: Vec::new(),
            settings: Vec::new(),
            overall: None,
            ended: String::new(),
        };
        let mut trials = Trials::default();
        loop {
            let sets = self.sets(&experiment, &told, &mut trials);
            if sets.is_empty() || told.proofs.len() == MOST {
                told.ended = ended(&told, sets.is_empty());
                return Ok(Some(told));
            }
            let comparison = prove::comparison(&experiment, &sets, users, wanted).map_err(Failure::input)?;
            let Some(results) = self.launch(&comparison)? else {
                "it was interrupted".clone_into(&mut told.ended);
                return Ok(Some(told));
            };
            let proof = results.proof.clone().ok_or_else(|| Failure::running("nothing was compared"))?;
            // Only tuning goes on to the next limit.
            let then = explanation_of(&results, &proof.steps[0].variant).ok().filter(|_| wanted.tune);
            let then = then.as_ref().and_then(|it| Some((it.limit, it.knob.as_ref()?)));
            trials.add(sets, proof.best().is_some(), then);
            let is_over = self.take(&mut experiment, &mut told, proof, &results)?;
            if is_over {
                told.ended = "one change was to be proven; --tune goes on".to_owned();
                return Ok(Some(told));
            }
        }
    }

    /// Sets of changes to be compared next: all that were named, or the most promising ones that were not yet tried.
    fn sets(&self, experiment: &Experiment, told: &Tuning, trials: &mut Trials) -> Vec<Vec<Change>> {
        let (variant, plan) = (&experiment.variants[0], &experiment.plan.variants[0]);
        let with = &self.wanted.with;
        if !with.is_empty() && told.proofs.is_empty() {
            return with.iter().flat_map(|(name, values)| prove::named(variant, name, values)).collect();
        }
        let known = told.next.as_ref().and_then(|next| Some((next.limit, next.knob.as_ref()?)));
        trials.next(variant, plan, known)
    }

    /// Takes in a comparison: changes that help are kept. Whether it is the last one.
    fn take(
        &self,
        experiment: &mut Experiment,
        told: &mut Tuning,
        proof: Proof,
        results: &Results,
    ) -> Result<bool, Failure> {
        let best = proof.best().cloned();
        told.add(proof);
        let wanted = &self.wanted;
        if let Some(best) = best {
            let (variant, plan) = (&experiment.variants[0], &experiment.plan.variants[0]);
            let (variant, plan) = prove::changed(variant, plan, &best.changes).map_err(Failure::input)?;
            (experiment.variants[0], experiment.plan.variants[0]) = (variant, plan);
            told.keep(&best.changes);
            told.next = explanation_of(results, &best.variant).ok();
            return Ok(!wanted.tune);
        }
        Ok(!wanted.tune && !wanted.with.is_empty())
    }

    /// Makes all runs of an experiment; none if that was interrupted.
    fn launch(&self, experiment: &Experiment) -> Result<Option<Results>, Failure> {
        let (status, _, results) = self.bench.run(experiment)?;
        self.bench.write_html(&results, None);
        if let Some(why) = why_parts_are_lost(&results) {
            return Err(Failure::parts_missing(format_args!("the proof ends without an answer: {why}")));
        }
        Ok((status != ExecutionStatus::Interrupted).then_some(results))
    }

    fn say(&self, text: &str) {
        if !self.bench.arguments.quiet {
            tell!("{}", shown(text));
        }
    }
}

/// The explanation of a variant.
fn explanation_of(results: &Results, variant: &str) -> Result<Explanation, Failure> {
    let found = results.explanations.iter().find(|it| it.variant == variant);
    found.cloned().ok_or_else(|| {
        let problem = results.variants.iter().find(|it| it.name == variant).and_then(|it| it.problem.as_deref());
        Failure::running(format_args!(
            "{variant} could not be explained: {}",
            problem.unwrap_or("it was not seen under load")
        ))
    })
}

/// Why there is nothing more to change.
fn ended(told: &Tuning, is_exhausted: bool) -> String {
    if !is_exhausted {
        return format!("after {MOST} comparisons: go on with these settings in the file");
    }
    let Some(next) = &told.next else { return "what gives way next was not seen".to_owned() };
    match (&next.knob, next.limit) {
        (None, "unknown") => "what gives way is not known: name a setting with --with NAME=VALUE".to_owned(),
        (None, _) => format!("no setting moves it: {}", next.says),
        (Some(knob), _) if knob.settings.iter().all(|name| name.contains("NAME")) => {
            "its setting is not known: name it with --with NAME=VALUE".to_owned()
        }
        (Some(_), _) if told.proofs.iter().flat_map(|one| &one.steps).any(|step| step.helps == Verdict::Undecided) => {
            "whether a change helps is undecided: see why above, or make more --rounds".to_owned()
        }
        (Some(_), _) => "none of the settings that are known moved it: name another with --with NAME=VALUE".to_owned(),
    }
}
