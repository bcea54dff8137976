//! The `prove` section: which changes of settings are to be proven after the rounds.

use plimsoll_analysis::claims;
use plimsoll_record::Nanos;

use super::{
    decode::{Entries, OneOrMany, Scalar, Whole, mapping},
    errors::{At, Errors},
    load::MOST_VUS,
    quantity::Duration,
    values::selected,
};
use crate::{
    line::check_objective,
    prove::{may_be_secret, wanted::WantedProof},
};

mapping! {
    /// A proof, once the rounds are over: what limits a variant is looked at, the setting that moves it is changed, and
    /// the capacity is measured before and after, in interleaved rounds. `plimsoll run --prove` makes it in place of
    /// the file's load. `docs/explain.md` says how.
    pub struct ProveSection as "prove" {
        /// The variants, by name or by pattern. Default: all. Example: `variants: [tuned]`.
        pub variants: Option<Vec<At<String>>>,
        /// Settings to change, each to one value or to several: a property, `-Dname`, `-Xmx`, a variable of the
        /// environment, `limits.cpus` or `limits.files`. Default: the setting that sizes what gives way first. Example:
        /// `with: {server.tomcat.threads.max: [400, 800]}`.
        pub with: Option<Entries<OneOrMany<At<Scalar>>>>,
        /// Whether change follows change until no setting moves the limit. Default: false. Example: `tune: true`.
        pub tune: Option<bool>,
        /// Virtual users that saturate the service. Default: four times as many as it takes until throughput rises no
        /// more. Example: `users: 500`.
        pub users: Option<Whole<1, MOST_VUS>>,
        /// How long each user pauses between a response and its next request. Default: none. Example: `think-time: 1s`.
        pub think_time: Option<Duration>,
        /// Rounds of each comparison. Default: 3. Example: `rounds: 5`.
        pub rounds: Option<Whole<1, 100>>,
        /// Objectives of a load line: lines are compared in place of capacities, which takes a minute for each run.
        /// Default: none. Example: `slo: ["p(99) < 200ms"]`.
        pub slo: Option<OneOrMany<At<String>>>,
    }
}

/// Checks the names of variants, of whatever pace.
pub(super) fn check_names(section: &ProveSection, variants: &[String], errors: &mut Errors) {
    let names: Vec<&str> = variants.iter().map(String::as_str).collect();
    selected(section.variants.as_deref(), &names, errors);
}

/// The proof that is wanted; `names` are those of the variants that are loaded. None where none of them is meant, as at
/// a pace that leaves them out.
pub(super) fn resolve(section: &ProveSection, names: &[&str], errors: &mut Errors) -> Option<WantedProof> {
    let is_meant = |name: &str| {
        let patterns = section.variants.as_ref();
        patterns.is_none_or(|patterns| patterns.iter().any(|pattern| claims::matches(&pattern.value, name)))
    };
    let variants: Vec<String> = names.iter().filter(|name| is_meant(name)).map(|&name| name.to_owned()).collect();
    let slo = section.slo.iter().flat_map(|slo| &slo.0);
    for objective in slo.clone() {
        if let Err(why) = check_objective(&objective.value) {
            errors.push(&objective.place, format!("`{}`: {why}", objective.value));
        }
    }
    let defaults = WantedProof::default();
    let with = section.with.iter().flat_map(|entries| &entries.0);
    let with: Vec<(String, Vec<String>)> = with
        .map(|(name, OneOrMany(values))| {
            let values: Vec<String> = values.iter().map(|it| it.value.0.clone()).collect();
            if may_be_secret(&name.value, &values) {
                let message = "expected a setting that sizes something, found one that may hold a secret: remove it";
                errors.push(&name.place, message);
            }
            (name.value.clone(), values)
        })
        .collect();
    let has_some = section.variants.is_none() || !variants.is_empty();
    has_some.then(|| WantedProof {
        variants,
        with,
        tune: section.tune.unwrap_or(defaults.tune),
        users: section.users.map(Whole::narrow),
        think_time: section.think_time.map_or(Nanos::ZERO, |think| think.0),
        rounds: section.rounds.map_or(defaults.rounds, Whole::narrow),
        slo: slo.map(|objective| objective.value.clone()).collect(),
    })
}
