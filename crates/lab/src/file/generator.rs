//! The `generator` key: parts that offer all loads in place of this process.

use std::{net::SocketAddr, path::Path};

use plimsoll_record::{Nanos, VariantPlan};

use super::{
    connection::ConnectionSection,
    decode::{OneOrMany, Whole, mapping},
    errors::{At, Errors},
    quantity::Duration,
    values::positive,
};
use crate::experiment::{Gathering, Variant};

/// Port of a collector, where none is given.
const DEFAULT_LISTEN: &str = "127.0.0.1:7400";
const DEFAULT_DEADLINE: Nanos = Nanos::from_secs(60);
const DEFAULT_SILENCE: Nanos = Nanos::from_secs(10);
/// Parts speak once a second.
const SILENCE_LEAST: Nanos = Nanos::from_secs(2);

mapping! {
    /// Parts that stay: each runs `plimsoll serve-part --join URL`, on other machines or on this one, and all offer
    /// every load together, warm-ups, trials of a `line` and explanations among them. This process launches and watches
    /// the targets. Parts on other machines reach a target by its `url`: `{host}` is 127.0.0.1, which is each machine's
    /// own. Once a part is lost, the run under way has failed, and no other follows.
    pub struct GeneratorSection as "generator" {
        /// How many parts there are. Example: `parts: 4`.
        pub parts: Whole<1, 9_999>,
        /// Where they reach this process; port 0: any that is free. Beyond this machine it speaks TLS with a secret:
        /// that of `token-file` or PLIMSOLL_TOKEN, else one that it draws and shows. Default: `127.0.0.1:7400`.
        /// Example: `listen: "0.0.0.0:7400"`.
        pub listen: Option<At<String>>,
        /// File with the secret that the parts share with this process, at least 32 letters and digits; its path is
        /// seen from the experiment file's folder. Default: PLIMSOLL_TOKEN, if it is set. Example: `token-file:
        /// /run/secrets/plimsoll`.
        pub token_file: Option<String>,
        /// All must have joined after so long, or nothing is launched. Default: 60s. Example: `deadline: 5min`.
        pub deadline: Option<At<Duration>>,
        /// A part is lost that says nothing for so long; at least 2s. Default: 10s. Example: `silence: 5s`.
        pub silence: Option<At<Duration>>,
    }
}

/// How the parts are gathered; pushes what they cannot do for `variants`.
pub(super) fn resolve<'a>(
    At { value: section, place }: &At<GeneratorSection>,
    folder: &Path,
    variants: impl Iterator<Item = (&'a VariantPlan, &'a Variant)> + Clone,
    errors: &mut Errors,
) -> Gathering {
    if let Some((VariantPlan { name, .. }, _)) = variants.clone().find(|(plan, _)| plan.network.is_some()) {
        errors.push(
            place,
            format!(
                "the `network` of variant `{name}` is made around this process, and parts do not reach into it: remove \
                 one of the two"
            ),
        );
    }
    if variants.clone().next().is_some() && !variants.clone().any(|(_, variant)| variant.is_loaded()) {
        errors.push(place, "benchmarks have no load that parts could offer: remove this");
    }
    let listen = section.listen.as_ref().map_or(DEFAULT_LISTEN, |it| it.value.as_str());
    let at = section.listen.as_ref().map_or(place, |it| &it.place);
    let listen = listen.parse::<SocketAddr>().unwrap_or_else(|_| {
        errors.push(at, format!("expected an address and a port, e.g. `0.0.0.0:7400`, found `{listen}`"));
        SocketAddr::from(([127, 0, 0, 1], 0))
    });
    let silence = section.silence.as_ref().map_or(DEFAULT_SILENCE, |it| it.value.0);
    if let Some(given) = section.silence.as_ref().filter(|_| silence < SILENCE_LEAST) {
        errors.push(&given.place, "expected at least 2s, for parts speak once a second");
    }
    Gathering {
        parts: section.parts.narrow(),
        listen,
        deadline: section.deadline.as_ref().map_or(DEFAULT_DEADLINE, |it| positive(it, errors)),
        silence,
        token_file: section.token_file.as_ref().map(|file| folder.join(file)),
    }
}

/// Source addresses are those of one machine.
pub(super) fn check_sources(connection: Option<&At<ConnectionSection>>, errors: &mut Errors) {
    let sources = connection.iter().flat_map(|it| &it.value.source).flat_map(|OneOrMany(sources)| sources);
    if let Some(source) = sources.take(1).next() {
        let message = "source addresses are those of one machine, and the parts of a load may be on others: remove \
                       this, or `generator`";
        errors.push(&source.place, message);
    }
}
