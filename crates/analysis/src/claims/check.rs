//! Checks that the plan has every name of a claim.

use plimsoll_record::LoadUnit;
use plimsoll_text::{did_you_mean, quoted};

use super::{
    ClaimError, ClaimExpression, FiguresClaim, Statement,
    expression::{FigureName, Name},
};

pub(super) fn names(claim: &ClaimExpression, variants: &[&str], levels: &[&str]) -> Result<(), ClaimError> {
    if let Statement::Limit(limit) = &claim.0 {
        name("variant", &limit.variant, variants)?;
        return limit.level.iter().try_for_each(|level| name("level", level, levels));
    }
    for figure in claim.figures() {
        let FigureName { metric, level, .. } = figure;
        let (variant, request) = figure.variant_and_request(variants.iter().copied());
        name("variant", &variant, variants)?;
        if let Some(request) = request.filter(|_| !metric.is_of_requests()) {
            let (metric, variant) = (metric.name, &variant.text);
            let message = format!("{metric} is no figure of a request: remove `/{}` after {variant}", request.text);
            return Err(ClaimError::new(request.column, message));
        }
        // Benchmarks are known once they have run.
        if let Some(level) = level.as_ref().filter(|_| !metric.is_of_benchmark()) {
            name("level", level, levels)?;
        }
    }
    Ok(())
}

pub(super) fn requests(claim: &ClaimExpression, variants: &[&str], requests: &[&str]) -> Result<(), ClaimError> {
    let named = claim.figures().into_iter().filter_map(|it| it.variant_and_request(variants.iter().copied()).1);
    named.into_iter().try_for_each(|request| name("request", &request, requests))
}

pub(super) fn series(claim: &ClaimExpression, kept: &[(&str, Vec<&str>)]) -> Result<(), ClaimError> {
    for figure in claim.figures() {
        let Some(series) = figure.series.as_ref().filter(|_| !figure.metric.is_of_line()) else { continue };
        let meant = || kept.iter().filter(|(variant, _)| figure.variant.matches(variant));
        let mut known: Vec<&str> = meant().flat_map(|(_, series)| series).copied().collect();
        known.sort_unstable();
        known.dedup();
        if meant().next().is_some() && !known.contains(&series.text.as_str()) {
            let variant = &figure.variant.text;
            let nearest =
                if known.is_empty() { ": it keeps none".to_owned() } else { meant_or_all(&series.text, &known) };
            let message = format!("`metrics: {{keep: …}}` of `{variant}` does not have `{}`{nearest}", series.text);
            return Err(ClaimError::new(series.column, message));
        }
    }
    Ok(())
}

pub(super) fn lines(claim: &ClaimExpression, lines: &[&str], unit: LoadUnit) -> Result<(), ClaimError> {
    for FigureName { metric, variant, series, .. } in claim.figures() {
        if !metric.is_of_line() {
            continue;
        }
        let wrong = |message: String| Err(ClaimError::new(variant.column, message));
        let is_in_unit = metric.is_line_in(unit) != Some(false);
        let (metric, variant) = (metric.name, &variant.text);
        match series {
            _ if lines.is_empty() => {
                return wrong(format!("{metric} is a figure of a search: the file needs `line` in place of `load`"));
            }
            _ if !is_in_unit => {
                let (right, found) = match unit {
                    LoadUnit::PerSecond => ("line", "a rate"),
                    LoadUnit::VirtualUsers => ("line_users", "a number of users"),
                };
                return wrong(format!("the line of this file is {found}: write {right}({variant})"));
            }
            Some(name) if lines == [""] => {
                let message = format!("the line has no name: write {metric}({variant})");
                return Err(ClaimError::new(name.column, message));
            }
            Some(line) => name("line", line, lines)?,
            None if lines.contains(&"") => {}
            None => {
                let there = quoted(lines.iter().copied());
                return wrong(format!("there are the lines {there}: write {metric}({variant}, {})", lines[0]));
            }
        }
    }
    Ok(())
}

fn name(what: &str, name: &Name, known: &[&str]) -> Result<(), ClaimError> {
    if known.iter().any(|known| name.matches(known)) {
        return Ok(());
    }
    let text = &name.text;
    let message = match name.is_pattern() {
        true => format!("no {what} matches `{text}`: there are {}", all(known)),
        false => format!("there is no {what} `{text}`{}", meant_or_all(text, known)),
    };
    Err(ClaimError::new(name.column, message))
}

/// ` (did you mean …?)`, or all names when none is near.
pub(super) fn meant_or_all(text: &str, known: &[&str]) -> String {
    let meant = did_you_mean(known.iter().copied(), text);
    if meant.is_empty() { format!(": there are {}", all(known)) } else { meant }
}

fn all(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { quoted(known.iter().copied()) }
}

impl ClaimExpression {
    /// All figures that are named, from left to right.
    pub(super) fn figures(&self) -> Vec<&FigureName> {
        match &self.0 {
            Statement::Figures(FiguresClaim { left, right, .. }) => [left.figures(), right.figures()].concat(),
            Statement::Limit(_) => Vec::new(),
        }
    }
}
