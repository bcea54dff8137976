//! How often every variant runs: a number, or until the claims are decided.

use std::borrow::Cow;

use plimsoll_analysis::intervals::looks;
use plimsoll_record::UntilDecided;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    decode::{FromNode, Whole, choice, mapping},
    errors::{At, Errors},
    node::{Node, Value},
};

const DEFAULT: u32 = 3;
const DEFAULT_AT_MOST: u32 = 20;

/// A number, or a mapping.
#[derive(Clone, Debug)]
pub(super) enum RoundsSection {
    Fixed(Whole<1, 1_000>),
    Until(UntilSection),
}

mapping! {
    /// Rounds that end once all claims are decided. The claims are looked at after each round, by intervals so much
    /// wider that all looks together err in 5 % of experiments.
    pub struct UntilSection as "rounds" {
        /// Rounds before the first look; from 3 to 30. Default: 3. Example: `at-least: 5`.
        pub at_least: Option<At<Whole<3, 30>>>,
        /// Rounds after which it ends in any case; from 3 to 30. Default: 20. Example: `at-most: 10`.
        pub at_most: Option<At<Whole<3, 30>>>,
        /// When it ends. Example: `until: decided`.
        pub until: UntilWord,
    }
}

choice! {
    /// When rounds end.
    pub enum UntilWord as "until" {
        /// Once all claims hold or fail. Claims that cannot be judged are not waited for.
        Decided = "decided",
    }
}

impl FromNode for RoundsSection {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Map(_) => UntilSection::from_node(node, errors).map(Self::Until),
            _ => Whole::from_node(node, errors).map(Self::Fixed),
        }
    }
}

impl JsonSchema for RoundsSection {
    fn schema_name() -> Cow<'static, str> {
        "rounds-or-number".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let number = generator.subschema_for::<Whole<1, 1_000>>();
        json_schema!({"anyOf": [number, generator.subschema_for::<UntilSection>()]})
    }
}

/// How many rounds at most, and how they end if not by their number.
pub(super) fn resolve(
    section: Option<&At<RoundsSection>>,
    has_claims: bool,
    errors: &mut Errors,
) -> (u32, Option<UntilDecided>) {
    let until = match section.map(|section| (&section.value, &section.place)) {
        None => return (DEFAULT, None),
        Some((RoundsSection::Fixed(rounds), _)) => return (rounds.narrow(), None),
        Some((RoundsSection::Until(until), place)) => {
            if !has_claims {
                errors.push(place, "there are no `claims` to be decided: give some, or a number of rounds");
            }
            until
        }
    };
    let UntilWord::Decided = until.until;
    let number = |given: &Option<At<Whole<3, 30>>>, default| given.as_ref().map_or(default, |it| it.value.narrow());
    let at_least = number(&until.at_least, looks::FEWEST);
    let at_most = number(&until.at_most, DEFAULT_AT_MOST.max(at_least));
    if let Some(given) = until.at_most.as_ref().filter(|_| at_most < at_least) {
        errors
            .push(&given.place, format!("expected as many rounds as `at-least` or more, {at_least}, found {at_most}"));
    }
    let error_per_look = looks::error_per_look(at_least, at_most);
    (at_most, Some(UntilDecided { at_least, error_per_look }))
}
