//! From the document to an [`Experiment`]: variants are expanded and merged, defaults filled in, names checked.

use std::path::Path;

use plimsoll_analysis::thresholds::Threshold;
use plimsoll_drive::ScriptText;
use plimsoll_record::{Claim, LevelPlan, Load, Nanos, Phase, Plan, VariantPlan};

use crate::experiment::{Experiment, Order, Variant};

use super::{
    LoadFile, Names, connection,
    decode::Checked,
    document::{ClaimSection, Document, OrderWord},
    errors::{At, Errors, Place},
    explain, generator, levels, line,
    matrix::{self, MOST_VARIANTS},
    merge::{self, Draft},
    network,
    node::Node,
    prove, published, request, revisions, rounds, script, upstream,
    values::{check_name, selected},
    variant,
};

/// A document, resolved.
pub(super) struct Resolved {
    pub experiment: Experiment,
    /// Where the name of each variant of the plan stands.
    pub places: Vec<Place>,
    /// Names of all variants, also of those that `only` leaves out.
    pub variants: Vec<String>,
}

/// The experiment that `document` describes; what is wrong is pushed and left out.
pub(super) fn resolve(document: &Checked<Document>, path: &Path, seed_if_absent: u64, errors: &mut Errors) -> Resolved {
    let Checked { value: file, node: root } = document;
    let name = name(file, path, errors);
    let drafts = drafts(file, root, errors);
    let names: Vec<&str> = drafts.iter().map(|draft| draft.name.value.as_str()).collect();
    let selected = selected(file.only.as_deref(), &names, errors);
    let (variant_plans, variants) = variants(file, &drafts, &selected, path, errors);
    let connecting = connection::resolve(file.connection.as_ref(), folder(path), errors);
    network::check_way(file.connection.as_ref(), &variant_plans, errors);
    let has_upstream = variant_plans.iter().any(|variant| variant.upstream.is_some());
    let needs_load = variants.is_empty() || variants.iter().any(Variant::is_loaded);
    if needs_load && ["load", "scenarios", "line"].iter().all(|key| root.get(key).is_none()) {
        errors.push(&root.place, "the key `load` is missing, or `line`, or `scenarios`");
    }
    check_line_alone(root, errors);
    let line = file.line.as_ref().map(|section| line::resolve(section, errors));
    let warmup = file.warmup.as_ref().map(|section| levels::warmup(section, errors));
    let searched = line.as_ref().map(|line| line.open(1.0, line.at_most));
    let beside: Vec<Load> = warmup.iter().map(|(level, _)| level.load.clone()).chain(searched).collect();
    let (mut measured, mut scripts) = measured(file, root, path, has_upstream, &beside, errors);
    if has_upstream {
        check_constants(root, &drafts, &variant_plans, errors);
    }
    let thresholds = file.thresholds.iter().flatten();
    thresholds.clone().for_each(|threshold| check_threshold(threshold, &measured, errors));
    let warmup_until_steady = warmup.as_ref().is_some_and(|(_, steady)| *steady);
    if let Some((level, _)) = warmup {
        let of_all = in_one(&scripts);
        measured.insert(0, LevelPlan { requests: of_all.names(), ..level });
        scripts.insert(0, of_all);
    }
    let has_claims = file.claims.as_ref().is_some_and(|claims| !claims.is_empty());
    let (rounds, until_decided) = rounds::resolve(file.rounds.as_ref(), has_claims, errors);
    let mut plan = Plan {
        line,
        explain: None,
        proof: None,
        title: file.title.clone().unwrap_or_else(|| name.clone()),
        name,
        description: file.description.clone().unwrap_or_default(),
        source: None,
        pace: None,
        variants: variant_plans,
        levels: measured,
        rounds,
        until_decided,
        seed: file.seed.map_or(seed_if_absent, |seed| seed.0),
        segment: None,
        claims: file.claims.iter().flatten().map(claim).collect(),
        published: file.published.as_ref().map(published::resolve),
        thresholds: thresholds.map(|threshold| threshold.value.clone()).collect(),
    };
    if let Some(section) = &file.line {
        line::check_launched(section, plan.variants.iter().map(|it| it.name.as_str()).zip(&variants), errors);
    }
    let claims: Vec<&At<String>> = file.claims.iter().flatten().map(|claim| &claim.claim).collect();
    plan.explain = explain::resolve(file.explain.as_ref(), &claims, &plan, &loaded(&plan, &variants), errors);
    let proof = file.prove.as_ref().and_then(|section| prove::resolve(section, &loaded(&plan, &variants), errors));
    let generator = file.generator.as_ref().map(|section| {
        generator::check_sources(file.connection.as_ref(), errors);
        generator::resolve(section, folder(path), plan.variants.iter().zip(&variants), errors)
    });
    let order = match file.order {
        Some(OrderWord::File) => Order::File,
        Some(OrderWord::Random) | None => Order::Random,
    };
    let places = drafts.iter().zip(&selected).filter(|(_, selected)| **selected);
    Resolved {
        places: places.map(|(draft, _)| draft.name.place.clone()).collect(),
        variants: names.into_iter().map(str::to_owned).collect(),
        experiment: Experiment { plan, variants, scripts, order, warmup_until_steady, connecting, proof, generator },
    }
}

impl Names {
    pub(super) fn of<'a>(paces: impl Iterator<Item = &'a Resolved> + Clone) -> Self {
        let lines = paces.clone().flat_map(|pace| &pace.experiment.plan.line).flat_map(|line| &line.objectives);
        let levels = paces.clone().flat_map(|pace| &pace.experiment.plan.levels);
        let measured = levels.clone().filter(|level| level.phase == Phase::Measured);
        Self {
            variants: each_once(paces.flat_map(|pace| &pace.variants)),
            levels: each_once(measured.flat_map(LevelPlan::labels)),
            requests: each_once(levels.flat_map(|level| &level.requests)),
            lines: each_once(lines.map(|line| &line.name)),
        }
    }
}

/// Names of the variants to which loads are offered.
fn loaded<'a>(plan: &'a Plan, variants: &[Variant]) -> Vec<&'a str> {
    let all = plan.variants.iter().zip(variants).filter(|(_, variant)| variant.is_loaded());
    all.map(|(plan, _)| plan.name.as_str()).collect()
}

fn each_once<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut once = Vec::new();
    for name in names {
        if !once.contains(name) {
            once.push(name.clone());
        }
    }
    once
}

/// Checks names that stand for variants and levels, of whatever pace.
pub(super) fn check_references(file: &Document, names: &Names, errors: &mut Errors) {
    let Names { variants, levels, .. } = names;
    if let Some(section) = &file.published {
        published::check_names(section, variants, levels, errors);
    }
    if let Some(section) = &file.explain {
        explain::check_names(&section.value, variants, levels, errors);
    }
    if let Some(section) = &file.prove {
        prove::check_names(section, variants, errors);
    }
}

/// A search makes its own loads, warms up by itself, and has objectives in place of thresholds.
fn check_line_alone(root: &Node, errors: &mut Errors) {
    const WITHOUT: [(&str, &str); 4] = [
        ("load", "a search for the line makes its own loads: remove one of the two"),
        ("scenarios", "a line is searched for with one load at a time: remove one of the two"),
        ("warmup", "a search warms the service up by itself: remove this, and set `warm-up` of `line` if need be"),
        ("thresholds", "trials of a search go beyond any threshold: move it to `slo` of `line`"),
    ];
    let Some(line) = root.entries().iter().find(|entry| entry.key.value == "line") else { return };
    for (key, why) in WITHOUT {
        if let Some(entry) = root.entries().iter().find(|entry| entry.key.value == key) {
            errors.push_related(&entry.key.place, why.to_owned(), &line.key.place, "the `line` is here");
        }
    }
}

/// Load and requests of `document`.
pub(super) fn load_file(document: &Checked<Document>, path: &Path, text: &str, errors: &mut Errors) -> LoadFile {
    let Checked { value: file, node: root } = document;
    let (mut levels, mut scripts) = levels_with_scripts(file, root, path, false, &[], errors);
    let load = root.get("scenarios").or_else(|| root.get("load")).unwrap_or(root);
    let mut alternatives = 0;
    if file.scenarios.is_none() {
        alternatives = levels.len().saturating_sub(1);
        levels.truncate(1);
        scripts.truncate(1);
    }
    LoadFile {
        levels,
        scripts,
        alternatives,
        response_timeout: time_out(file, errors),
        seed: file.seed.map(|seed| seed.0),
        connecting: connection::resolve(file.connection.as_ref(), folder(path), errors),
        thresholds: file.thresholds.iter().flatten().map(|threshold| threshold.value.clone()).collect(),
        path: path.to_owned(),
        source: text.to_owned(),
        place: load.place.clone(),
    }
}

/// The measured levels, each with its script; `beside` are what else is offered with their requests.
fn measured(
    file: &Document,
    root: &Node,
    path: &Path,
    has_upstream: bool,
    beside: &[Load],
    errors: &mut Errors,
) -> (Vec<LevelPlan>, Vec<ScriptText>) {
    let (levels, scripts) = levels_with_scripts(file, root, path, has_upstream, beside, errors);
    // A search has one script for all its trials.
    let count = if file.line.is_some() { 1 } else { levels.len() };
    let mut scripts: Vec<ScriptText> = scripts.into_iter().take(count).collect();
    if file.request.is_some() {
        // Variants have the path in their URLs already, unless they name one themselves.
        let steps = scripts.iter_mut().flat_map(|script| &mut script.flows).flat_map(|flow| &mut flow.steps);
        steps.filter(|step| !step.url.contains("{{")).for_each(|step| step.url.clear());
    }
    (levels, scripts)
}

/// The levels of the file's load or scenarios, if it has any, and a script for each, or the one that there is.
fn levels_with_scripts(
    file: &Document,
    root: &Node,
    path: &Path,
    has_upstream: bool,
    beside: &[Load],
    errors: &mut Errors,
) -> (Vec<LevelPlan>, Vec<ScriptText>) {
    let common = script::SharedParts::new(file, folder(path), has_upstream, errors);
    let ways = script::ways_of_file(file);
    let Some(scenarios) = &file.scenarios else {
        let mut levels = file.load.as_ref().map_or_else(Vec::new, |load| levels::resolve(load, errors));
        let script = common.script(&ways, &root.place, errors);
        common.check_loads(&script, levels.iter().map(|level| &level.load).chain(beside), errors);
        let names = script.text.names();
        levels.iter_mut().for_each(|level| level.requests.clone_from(&names));
        let scripts = vec![script.text; levels.len().max(1)];
        return (levels, scripts);
    };
    for key in ["load", "request", "requests", "steps", "flows"] {
        if let Some(node) = root.get(key) {
            let message = format!("with `scenarios`, each has its own `{key}`: move it there");
            errors.push_related(&node.place, message, &scenarios.place, "the scenarios are here");
        }
    }
    let mut levels = levels::scenarios(scenarios, errors);
    let mut scripts = Vec::new();
    for (index, scenario) in scenarios.value.iter().enumerate() {
        let time_out = scenario.request.as_ref().and_then(|request| request.value.time_out.as_ref());
        if let Some(time_out) = time_out {
            errors.push(&time_out.place, "a time-out holds for all scenarios: write `time-out` at the top of the file");
        }
        let script = common.script(&script::ways_of(scenario), &scenario.name.place, errors);
        if let Some(level) = levels.get_mut(index) {
            common.check_loads(&script, std::iter::once(&level.load).chain(beside), errors);
            level.requests = script.text.names();
        }
        scripts.push(script.text);
    }
    (levels, scripts)
}

/// One script that does what all of several scenarios do.
fn in_one(scripts: &[ScriptText]) -> ScriptText {
    let mut all = scripts.first().cloned().unwrap_or_default();
    let others = scripts.iter().skip(1).filter(|other| other.flows != all.flows).flat_map(|other| other.flows.clone());
    let others: Vec<_> = others.collect();
    all.flows.extend(others);
    all
}

/// The experiment file's.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn check_threshold(text: &At<String>, levels: &[LevelPlan], errors: &mut Errors) {
    match Threshold::of_levels(&text.value, levels) {
        Ok(threshold) if threshold.abort_after().is_some() => {
            errors.push(&text.place, format!("`{}`: only `plimsoll load` can abort; leave `abort` out", text.value));
        }
        Ok(_) => {}
        Err(error) => errors.push(&text.place, format!("`{}`: {error}", text.value)),
    }
}

fn time_out(file: &Document, errors: &mut Errors) -> Option<Nanos> {
    let of_request = file.request.as_ref().and_then(|request| request.value.time_out.as_ref());
    request::time_out(file.time_out.as_ref(), of_request, errors)
}

fn name(file: &Document, path: &Path, errors: &mut Errors) -> String {
    match &file.name {
        Some(name) => {
            check_name(name, "a name", errors);
            name.value.clone()
        }
        None => path.file_stem().map_or_else(|| "experiment".to_owned(), |stem| stem.to_string_lossy().into_owned()),
    }
}

/// The variants as they are written, those of matrices last; each name once.
fn drafts(file: &Document, root: &Node, errors: &mut Errors) -> Vec<Draft> {
    if let Some(extends) = root.get("base").and_then(|base| base.get("extends")) {
        errors.push(&extends.place, "`base` extends nothing: write into it what all variants need");
    }
    let written = file.variants.iter().flat_map(|variants| &variants.0);
    let mut drafts: Vec<Draft> =
        written.map(|(name, section)| Draft { name: name.clone(), node: section.node.clone() }).collect();
    for matrix in file.matrix.iter().flat_map(|matrices| &matrices.0) {
        drafts.extend(matrix::expand(matrix, errors));
        if drafts.len() > MOST_VARIANTS {
            break;
        }
    }
    drafts = revisions::expand(file, root, drafts, errors);
    if drafts.len() > MOST_VARIANTS {
        let (place, found) = (&drafts[MOST_VARIANTS].name.place, drafts.len());
        errors.push(place, format!("expected at most {MOST_VARIANTS} variants, found {found}: split the file"));
        return Vec::new();
    }
    if ["matrix", "revisions"].iter().all(|key| root.get(key).is_none())
        && root.get("variants").is_none_or(|variants| variants.has_no_entries())
    {
        let place = root.get("variants").map_or(&root.place, |variants| &variants.place);
        errors.push(place, "expected at least one variant, e.g. `variants: {shop: {jar: target/shop.jar}}`");
    }
    let mut unique: Vec<Draft> = Vec::new();
    for draft in drafts {
        check_name(&draft.name, "a variant's name", errors);
        match unique.iter().find(|other| other.name.value == draft.name.value) {
            Some(first) => {
                let message = format!("variant `{}` is there twice: rename one", draft.name.value);
                errors.push_related(&draft.name.place, message, &first.name.place, "it is here first");
            }
            None => unique.push(draft),
        }
    }
    unique
}

/// Whether what is requested can be requested of every variant.
fn check_constants(root: &Node, drafts: &[Draft], plans: &[VariantPlan], errors: &mut Errors) {
    let requested = ["request", "requests", "steps", "flows", "scenarios", "variables"];
    let variants = plans.iter().filter_map(|plan| {
        let draft = drafts.iter().find(|draft| draft.name.value == plan.name)?;
        Some((plan.name.as_str(), &draft.name.place, plan.upstream.is_some()))
    });
    upstream::check_constants(requested.into_iter().filter_map(|key| root.get(key)), variants, errors);
}

fn variants(
    file: &Document,
    drafts: &[Draft],
    selected: &[bool],
    path: &Path,
    errors: &mut Errors,
) -> (Vec<VariantPlan>, Vec<Variant>) {
    let path_given = file.request.as_ref().and_then(|request| request.value.path.as_ref());
    let context = variant::Context {
        folder: folder(path),
        path: path_given.map(|path| path.value.as_str()),
        has_requests: file.scenarios.is_some() || script::ways_of_file(file).are_given(),
        response_timeout: time_out(file, errors).unwrap_or(request::DEFAULT_TIMEOUT),
    };
    let base = file.base.as_ref().map(|base| &base.node);
    let mut resolved = Vec::new();
    let mut takes_path = false;
    let is_template = path_given.is_some_and(|path| path.value.contains("{{"));
    for (index, draft) in drafts.iter().enumerate() {
        let Some(settings) = merge::settings(drafts, index, base, errors) else { continue };
        takes_path |= settings.get("url").is_none();
        if selected[index] {
            let own = settings.get("url").filter(|url| is_template && url.scalar().is_some_and(request::has_path));
            if let (Some(url), Some(path)) = (own, path_given) {
                let message = "a path with `{{…}}` would replace that of a variant's own `url`: write it below `requests`, \
                               whose paths are joined to it";
                errors.push_related(&path.place, message, &url.place, "the `url` is here");
            }
            resolved.extend(variant::resolve(&draft.name, &settings, &context, errors));
        }
    }
    if let Some(path) = path_given.filter(|_| !takes_path && !drafts.is_empty()) {
        let remedy = if is_template { "" } else { "at the end of these, or " };
        let message = format!(
            "it would be ignored, since each variant has a `url`: write the path {remedy}below `requests`, whose paths are \
             joined to them"
        );
        errors.push(&path.place, message);
    }
    resolved.into_iter().unzip()
}

fn claim(section: &ClaimSection) -> Claim {
    Claim {
        says: section.says.value.trim().to_owned(),
        expression: section.claim.value.clone(),
        line: Some(section.claim.place.line),
    }
}
