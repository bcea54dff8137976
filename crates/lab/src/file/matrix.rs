//! A matrix: axes whose combinations become variants.

use plimsoll_text::one_of_but_found;
use schemars::JsonSchema;

use super::{
    decode::{Checked, Entries, FromNode, Scalar, mapping, push_unexpected},
    errors::{At, Errors},
    merge::{Draft, overlay},
    node::{Entry, Node, Value},
    variants::VariantSection,
};

/// More variants than this are a slip of the pen.
pub(super) const MOST_VARIANTS: usize = 1_000;

mapping! {
    /// Axes whose combinations become variants, the last axis changing fastest.
    pub struct MatrixSection as "matrix" {
        /// Names of the variants: `{axis}` is replaced by the label of the axis' value. Example:
        /// `name: "web-{packaging}{threads}"`.
        pub name: At<String>,
        /// The axes. Each maps labels to settings, or is a list of values for the setting that the axis is
        /// named after. Example: `axes: {packaging: [jar, cds], threads: {"": {threads: platform}, "-vt":
        /// {threads: virtual}}}`.
        pub axes: At<Entries<AxisSection>>,
        /// Settings that all of them have; those of axes win. Default: none. Example: `variant: {subject:
        /// greetings-web}`.
        pub variant: Option<Checked<VariantSection>>,
        /// Combinations that are left out, by axis and label; axes that are not named may have any value.
        /// Default: none. Example: `exclude: [{packaging: cds, threads: "-vt"}]`.
        pub exclude: Option<Vec<Entries<At<Scalar>>>>,
    }
}

// The values of an axis. (Not a doc comment: that would become a description in the schema.)
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum AxisSection {
    Labelled(Entries<Checked<VariantSection>>),
    Plain(Vec<Checked<Scalar>>),
}

impl FromNode for AxisSection {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Map(_) => Entries::from_node(node, errors).map(Self::Labelled),
            Value::List(_) => Vec::from_node(node, errors).map(Self::Plain),
            _ => {
                push_unexpected(node, "a list of values, or a mapping from labels to settings", errors);
                None
            }
        }
    }
}

/// An axis, ready to be combined.
struct Axis {
    name: String,
    /// Labels, and the settings each stands for.
    values: Vec<(String, Node)>,
}

/// One value of each axis, in the axes' order.
type Combination<'a> = Vec<&'a (String, Node)>;

/// The variants that the matrix stands for.
pub(super) fn expand(matrix: &MatrixSection, errors: &mut Errors) -> Vec<Draft> {
    let found = errors.count();
    let axes: Vec<Axis> =
        matrix.axes.value.0.iter().filter_map(|(name, axis)| resolve_axis(name, axis, errors)).collect();
    check_template(matrix, &axes, errors);
    let excluded = exclusions(matrix, &axes, errors);
    if errors.count() > found {
        return Vec::new();
    }
    let size = axes.iter().fold(1_usize, |size, axis| size.saturating_mul(axis.values.len()));
    if size > MOST_VARIANTS {
        errors.push(&matrix.axes.place, format!("expected at most {MOST_VARIANTS} combinations, found {size}"));
        return Vec::new();
    }
    let combinations = combinations(&axes);
    let kept =
        combinations.iter().filter(|combination| !excluded.iter().any(|exclusion| matches(combination, exclusion)));
    let drafts: Vec<Draft> = kept.map(|combination| draft(matrix, &axes, combination)).collect();
    if drafts.is_empty() {
        let why =
            if size == 0 || axes.is_empty() { "there is no value to combine" } else { "`exclude` leaves nothing" };
        errors.push(&matrix.axes.place, format!("the matrix expands to no variant: {why}"));
    }
    drafts
}

fn resolve_axis(name: &At<String>, axis: &AxisSection, errors: &mut Errors) -> Option<Axis> {
    let values = match axis {
        AxisSection::Labelled(entries) => {
            entries.0.iter().map(|(label, settings)| (label.value.clone(), settings.node.clone())).collect()
        }
        AxisSection::Plain(values) => {
            let keys = VariantSection::keys();
            if !keys.contains(&name.value) {
                let keys = one_of_but_found(keys.iter().map(String::as_str), &name.value);
                let remedy = "or give each value its settings: `label: {key: value}`";
                errors.push(&name.place, format!("a list sets the key of the axis' name: expected {keys}; {remedy}"));
                return None;
            }
            values.iter().map(|value| (value.value.0.clone(), setting(name, &value.node))).collect()
        }
    };
    Some(Axis { name: name.value.clone(), values })
}

/// The mapping `{name: value}`.
fn setting(name: &At<String>, value: &Node) -> Node {
    let entry = Entry { key: name.clone(), value: value.clone() };
    Node { place: value.place.clone(), value: Value::Map(vec![entry]) }
}

/// Every axis that has a choice must be in the template, and nothing else may be.
fn check_template(matrix: &MatrixSection, axes: &[Axis], errors: &mut Errors) {
    let template = &matrix.name;
    let names = matrix.axes.value.0.iter().map(|(name, _)| name.value.as_str());
    for axis in axes.iter().filter(|axis| axis.values.len() > 1) {
        let placeholder = format!("{{{}}}", axis.name);
        if !template.value.contains(&placeholder) {
            let message = format!("several variants would be called alike: put `{placeholder}` into the name");
            errors.push(&template.place, message);
        }
    }
    for rest in template.value.split('{').skip(1) {
        let name = rest.split('}').next().unwrap_or_default();
        if !names.clone().any(|axis| axis == name) {
            let names = one_of_but_found(names.clone(), name);
            errors.push(&template.place, format!("`{{…}}` stands for an axis: expected {names}"));
        }
    }
}

/// Each exclusion as pairs of an axis' index and a label.
fn exclusions(matrix: &MatrixSection, axes: &[Axis], errors: &mut Errors) -> Vec<Vec<(usize, String)>> {
    let mut read = Vec::new();
    for exclusion in matrix.exclude.iter().flatten() {
        let pairs = exclusion.0.iter().filter_map(|(name, label)| exclusion_pair(name, label, axes, errors)).collect();
        read.push(pairs);
    }
    read
}

fn exclusion_pair(
    name: &At<String>,
    label: &At<Scalar>,
    axes: &[Axis],
    errors: &mut Errors,
) -> Option<(usize, String)> {
    let Some(index) = axes.iter().position(|axis| axis.name == name.value) else {
        let names = one_of_but_found(axes.iter().map(|axis| axis.name.as_str()), &name.value);
        errors.push(&name.place, format!("expected the name of an axis, {names}"));
        return None;
    };
    let labels = axes[index].values.iter().map(|(label, _)| label.as_str());
    if !labels.clone().any(|known| known == label.value.0) {
        let names = one_of_but_found(labels, &label.value.0);
        errors.push(&label.place, format!("expected a label of the axis `{}`, {names}", name.value));
        return None;
    }
    Some((index, label.value.0.clone()))
}

fn combinations(axes: &[Axis]) -> Vec<Combination<'_>> {
    if axes.is_empty() {
        return Vec::new();
    }
    let mut combinations = vec![Vec::new()];
    for axis in axes {
        let mut longer = Vec::new();
        for combination in combinations {
            longer.extend(axis.values.iter().map(|value| [combination.as_slice(), &[value]].concat()));
        }
        combinations = longer;
    }
    combinations
}

fn matches(combination: &Combination<'_>, exclusion: &[(usize, String)]) -> bool {
    exclusion.iter().all(|(index, label)| combination[*index].0 == *label)
}

fn draft(matrix: &MatrixSection, axes: &[Axis], combination: &Combination<'_>) -> Draft {
    let mut name = matrix.name.clone();
    for (axis, (label, _)) in axes.iter().zip(combination) {
        name.value = name.value.replace(&format!("{{{}}}", axis.name), label);
    }
    let empty = Node { place: matrix.name.place.clone(), value: Value::Map(Vec::new()) };
    let common = matrix.variant.as_ref().map_or(empty, |variant| variant.node.clone());
    let node = combination.iter().fold(common, |settings, (_, value)| overlay(&settings, value));
    Draft { name, node }
}
