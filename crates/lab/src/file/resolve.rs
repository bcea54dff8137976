//! From the document to an [`Experiment`]: variants are expanded and merged, defaults filled in, names checked.

use std::path::Path;

use plimsoll_analysis::thresholds::Threshold;
use plimsoll_record::{Claim, LevelPlan, Plan, VariantPlan};

use crate::experiment::{Experiment, Order, Variant};

use super::{
    connection,
    decode::{At, Checked, Whole},
    document::{ClaimSection, Document, OrderWord},
    errors::{Errors, Place},
    levels, matrix,
    merge::{self, Draft},
    node::Node,
    published, request, variant,
};

const DEFAULT_ROUNDS: u32 = 3;

/// The experiment that `document` describes, and where each variant's name stands; what is wrong is pushed and left
/// out.
pub(super) fn resolve(
    document: &Checked<Document>,
    path: &Path,
    seed_if_absent: u64,
    errors: &mut Errors,
) -> (Experiment, Vec<Place>) {
    let Checked { value: file, node: root } = document;
    let name = name(file, path, errors);
    let drafts = drafts(file, root, errors);
    let (variant_plans, variants) = variants(file, &drafts, path, errors);
    let connecting = connection::resolve(file.connection.as_ref(), folder(path), errors);
    let measured = levels::resolve(&file.load, errors);
    let warmup = file.warmup.as_ref().map(|section| levels::warmup(section, errors));
    let published = file.published.as_ref().map(|section| {
        let names: Vec<&str> = drafts.iter().map(|draft| draft.name.value.as_str()).collect();
        let labels: Vec<&str> = measured.iter().flat_map(LevelPlan::labels).map(String::as_str).collect();
        published::resolve(section, &names, &labels, errors)
    });
    let thresholds = file.thresholds.iter().flatten();
    thresholds.clone().for_each(|threshold| check_threshold(threshold, &measured, errors));
    let warmup_until_steady = warmup.as_ref().is_some_and(|(_, steady)| *steady);
    let plan = Plan {
        title: file.title.clone().unwrap_or_else(|| name.clone()),
        name,
        description: file.description.clone().unwrap_or_default(),
        source: None,
        variants: variant_plans,
        levels: warmup.into_iter().map(|(level, _)| level).chain(measured).collect(),
        rounds: file.rounds.map_or(DEFAULT_ROUNDS, Whole::narrow),
        seed: file.seed.map_or(seed_if_absent, |seed| seed.0),
        segment: None,
        claims: file.claims.iter().flatten().map(claim).collect(),
        thresholds: thresholds.map(|threshold| threshold.value.clone()).collect(),
        published,
    };
    let order = match file.order {
        Some(OrderWord::File) => Order::File,
        Some(OrderWord::Random) | None => Order::Random,
    };
    let places = drafts.into_iter().map(|draft| draft.name.place).collect();
    (Experiment { plan, variants, order, warmup_until_steady, connecting }, places)
}

/// The experiment file's.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn check_threshold(text: &At<String>, levels: &[LevelPlan], errors: &mut Errors) {
    let labels: Vec<String> = levels.iter().flat_map(LevelPlan::labels).cloned().collect();
    let requests: Vec<String> = levels.iter().flat_map(|level| &level.requests).cloned().collect();
    let parsed = text.value.parse::<Threshold>();
    match parsed.and_then(|threshold| threshold.check(&labels, &requests).map(|()| threshold)) {
        Ok(threshold) if threshold.abort_after().is_some() => {
            errors.push(&text.place, format!("`{}`: only `plimsoll load` can abort; leave `abort` out", text.value));
        }
        Ok(_) => {}
        Err(error) => errors.push(&text.place, format!("`{}`: {error}", text.value)),
    }
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
    let written = file.variants.iter().flat_map(|variants| &variants.0);
    let mut drafts: Vec<Draft> =
        written.map(|(name, section)| Draft { name: name.clone(), node: section.node.clone() }).collect();
    for matrix in file.matrix.iter().flat_map(|matrices| &matrices.0) {
        drafts.extend(matrix::expand(matrix, errors));
    }
    if root.get("matrix").is_none() && root.get("variants").is_none_or(|variants| variants.has_no_entries()) {
        let place = root.get("variants").map_or(&root.place, |variants| &variants.place);
        errors.push(place, "expected at least one variant, e.g. `variants: {web: {subject: greetings-web}}`");
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

fn variants(file: &Document, drafts: &[Draft], path: &Path, errors: &mut Errors) -> (Vec<VariantPlan>, Vec<Variant>) {
    let request = request::resolve(file.request.as_ref(), errors);
    let context = variant::Context { folder: folder(path), request: &request };
    let base = file.base.as_ref().map(|base| &base.node);
    let mut resolved = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        if let Some(settings) = merge::settings(drafts, index, base, errors) {
            resolved.extend(variant::resolve(&draft.name, &settings, &context, errors));
        }
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

/// Names are written in claims and become file names, so they must do without characters that mean something there.
pub(super) fn check_name(name: &At<String>, what: &str, errors: &mut Errors) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let good = name.value.chars().all(fits) && name.value.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !good {
        let found = &name.value;
        let message = format!(
            "expected {what} of letters, digits, `.`, `_` and `-` that starts with a letter or digit, found `{found}`"
        );
        errors.push(&name.place, message);
    }
    good
}
