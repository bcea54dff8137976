//! An expression with its names resolved: figures are places in a list of what was measured.

use super::{
    expression::{Expression, Extreme, FigureName, Operator},
    metric::{self, Scatter},
};
use crate::{
    foreign, generator,
    intervals::Series,
    line::Ends,
    measured::{Benchmark, Measured},
    results::Place,
    variant,
};

/// An expression over values that are known by their place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    Constant(f64),
    Figure(usize),
    Negative(Box<Self>),
    Abs(Box<Self>),
    Extreme(Extreme, Vec<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
}

impl Formula {
    /// Its value in base units.
    pub fn value(&self, figures: &[f64]) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Figure(place) => figures[*place],
            Self::Negative(inner) => -inner.value(figures),
            Self::Abs(inner) => inner.value(figures).abs(),
            Self::Extreme(extreme, of) => extreme.of(of.iter().map(|it| it.value(figures))),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(figures), right.value(figures));
                match operator {
                    Operator::Add => left + right,
                    Operator::Subtract => left - right,
                    Operator::Multiply => left * right,
                    Operator::Divide => left / right,
                }
            }
        }
    }
}

impl Formula {
    /// Its value in each round; `figures` hold a value for each.
    pub fn by_round(&self, figures: &[Vec<f64>]) -> Vec<f64> {
        let rounds = figures.first().map_or(1, Vec::len);
        let of_round = |round: usize| figures.iter().map(|figure| figure[round]).collect::<Vec<_>>();
        (0..rounds).map(|round| self.value(&of_round(round))).collect()
    }

    /// Whether it is made of figures and positive numbers by multiplying, dividing and adding: it is positive if all of
    /// its figures are.
    pub fn is_multiplicative(&self) -> bool {
        match self {
            Self::Constant(value) => *value > 0.0,
            Self::Figure(_) => true,
            Self::Negative(_) | Self::Abs(_) | Self::Extreme(..) | Self::Binary(Operator::Subtract, ..) => false,
            Self::Binary(_, left, right) => left.is_multiplicative() && right.is_multiplicative(),
        }
    }

    /// Places of its figures.
    pub fn figures(&self) -> Vec<usize> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Figure(place) => vec![*place],
            Self::Negative(inner) | Self::Abs(inner) => inner.figures(),
            Self::Extreme(_, of) => of.iter().flat_map(Self::figures).collect(),
            Self::Binary(_, left, right) => [left.figures(), right.figures()].concat(),
        }
    }

    /// The formula as `offset + factor × core`, where the core varies; no core if nothing does. `1 − a/b` has the core
    /// `a/b`.
    pub fn straight(&self) -> (f64, f64, Option<&Self>) {
        match self {
            Self::Constant(value) => (*value, 0.0, None),
            Self::Negative(inner) => {
                let (offset, factor, core) = inner.straight();
                (-offset, -factor, core)
            }
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.straight(), right.straight());
                match (operator, left, right) {
                    (Operator::Add, (a, factor, Some(core)), (b, _, None))
                    | (Operator::Add, (b, _, None), (a, factor, Some(core))) => (a + b, factor, Some(core)),
                    (Operator::Subtract, (a, factor, Some(core)), (b, _, None)) => (a - b, factor, Some(core)),
                    (Operator::Subtract, (a, _, None), (b, factor, Some(core))) => (a - b, -factor, Some(core)),
                    (Operator::Multiply, (a, factor, Some(core)), (b, _, None))
                    | (Operator::Multiply, (b, _, None), (a, factor, Some(core))) => (a * b, factor * b, Some(core)),
                    (Operator::Divide, (a, factor, Some(core)), (b, _, None)) => (a / b, factor / b, Some(core)),
                    (_, (_, _, None), (_, _, None)) => (self.value(&[]), 0.0, None),
                    _ => (0.0, 1.0, Some(self)),
                }
            }
            Self::Figure(_) | Self::Abs(_) | Self::Extreme(..) => (0.0, 1.0, Some(self)),
        }
    }
}

/// The variant, level and request that a figure belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Of {
    pub variant: usize,
    /// The level, or the benchmark; 0 for figures of the run as a whole.
    pub place: usize,
    /// One of the level's requests; none of all of them.
    pub request: Option<u32>,
}

/// Resolves expressions, and collects the figures that they need.
pub(super) struct Resolver<'a> {
    measured: &'a Measured<'a>,
    /// Each figure's value by round, at its place.
    pub figures: Vec<Series>,
    /// How each of them scatters.
    pub scatters: Vec<Scatter>,
    /// Ends that the searches found, for each of them that is a load line.
    pub ends: Vec<Option<Vec<(u32, Ends)>>>,
    /// Variants that a pattern matches but that could not run on this machine: a pattern means only what can be
    /// measured. A variant that ran and broke is not left out, since it may be the one that refutes the claim.
    pub left_out: Vec<&'a str>,
    /// The first place where the generator was the limit.
    pub limited: Option<Place>,
    /// The first place that other processes disturbed, and their share of the machine in percent.
    pub disturbed: Option<(Place, f64)>,
    /// The places of the figures, each once.
    pub about: Vec<Place>,
}

impl<'a> Resolver<'a> {
    pub fn new(measured: &'a Measured<'a>) -> Self {
        Self {
            measured,
            figures: Vec::new(),
            scatters: Vec::new(),
            ends: Vec::new(),
            left_out: Vec::new(),
            limited: None,
            disturbed: None,
            about: Vec::new(),
        }
    }

    /// Figures, then the lower ends of those that are load lines, then the upper ones.
    pub fn with_ends(&self) -> Vec<Series> {
        let ends = || self.ends.iter().flatten().map(|ends| metric::of_ends(ends));
        let (low, high) = (ends().map(|[_, low, _]| low), ends().map(|[_, _, high]| high));
        self.figures.iter().cloned().chain(low).chain(high).collect()
    }

    /// Resolves the names of an expression.
    ///
    /// # Errors
    /// A figure was not measured: which, and why.
    pub fn resolve(&mut self, expression: &Expression) -> Result<Formula, String> {
        Ok(match expression {
            Expression::Number { value, unit } => Formula::Constant(value * unit.scale),
            Expression::Figure(name) => {
                let place = self.only_place(name)?;
                self.figure(name, place)?
            }
            Expression::Negative(inner) => Formula::Negative(self.resolve(inner)?.into()),
            Expression::Abs(inner) => Formula::Abs(self.resolve(inner)?.into()),
            Expression::Extreme { extreme, of, .. } => Formula::Extreme(*extreme, self.resolve_all(of)?),
            Expression::Binary { operator, left, right, .. } => {
                Formula::Binary(*operator, self.resolve(left)?.into(), self.resolve(right)?.into())
            }
        })
    }

    fn resolve_all(&mut self, expressions: &[Expression]) -> Result<Vec<Formula>, String> {
        let mut formulas = Vec::new();
        for expression in expressions {
            match expression {
                Expression::Figure(name) if name.is_pattern() => formulas.extend(self.matching(name)?),
                other => formulas.push(self.resolve(other)?),
            }
        }
        if formulas.is_empty() { Err("nothing that its pattern matches could run".to_owned()) } else { Ok(formulas) }
    }

    fn matching(&mut self, name: &FigureName) -> Result<Vec<Formula>, String> {
        let mut formulas = Vec::new();
        for place in self.places(name) {
            let variant = place.variant;
            if name.variant.is_pattern() && self.measured.is_skipped(variant) {
                let skipped = self.measured.plan().variants[variant].name.as_str();
                if !self.left_out.contains(&skipped) {
                    self.left_out.push(skipped);
                }
            } else {
                formulas.push(self.figure(name, place)?);
            }
        }
        Ok(formulas)
    }

    /// The only place of a name that is no pattern.
    fn only_place(&self, name: &FigureName) -> Result<Of, String> {
        let places = self.places(name);
        match places.as_slice() {
            [only] => Ok(*only),
            [first, ..] if self.has_scores(first.variant) => {
                let labels: Vec<&str> = places.iter().map(|it| self.benchmark_label(it.place)).collect();
                let (metric, variant) = (name.metric.name, &name.variant.text);
                Err(format!("{name} may be any of {}: write {metric}({variant} @ {})", labels.join(", "), labels[0]))
            }
            _ => {
                let names = self.measured.plan().variants.iter().map(|it| it.name.as_str());
                let (wanted, request) = name.variant_and_request(names.clone());
                if request.is_some() && places.is_empty() {
                    return Err(format!("{name} was not measured: the level has no such request"));
                }
                let variant = names.into_iter().position(|it| wanted.matches(it));
                let why = variant.and_then(|variant| variant::brief_problem(self.measured, variant));
                let there: Vec<&str> = self.measured.benchmarks.iter().map(|it| it.label.as_str()).collect();
                let why = why.unwrap_or_else(|| format!("there are the benchmarks {}", there.join(", ")));
                Err(format!("{name} was not measured: {why}"))
            }
        }
    }

    /// Benchmarks of a variant that a name stands for. If the variant has none at all, those of other variants.
    fn benchmarks(&self, name: &FigureName, variant: usize) -> Vec<Of> {
        let of_variant = &self.measured.variants[variant];
        let is_meant = |benchmark: &Benchmark| {
            name.level.as_ref().is_none_or(|wanted| wanted.matches(&benchmark.label))
                && (of_variant.scores(benchmark).next().is_some() || !self.has_scores(variant))
        };
        let meant = self.measured.benchmarks.iter().enumerate().filter(|(_, benchmark)| is_meant(benchmark));
        meant.map(|(place, _)| Of { variant, place, request: None }).collect()
    }

    fn has_scores(&self, variant: usize) -> bool {
        self.measured.variants[variant].runs.iter().any(|run| !run.scores.is_empty())
    }

    fn benchmark_label(&self, place: usize) -> &str {
        &self.measured.benchmarks[place].label
    }

    /// Variants, and levels or benchmarks, that a name stands for; level 0 for figures of the run as a whole. Names of
    /// variants and levels have been checked: there is one at least.
    fn places(&self, name: &FigureName) -> Vec<Of> {
        let variants = &self.measured.plan().variants;
        let (of_variant, request) = name.variant_and_request(variants.iter().map(|it| it.name.as_str()));
        let variants = variants.iter().enumerate();
        let variants = variants.filter(|(_, variant)| of_variant.matches(&variant.name)).map(|it| it.0);
        if name.metric.is_of_benchmark() {
            return variants.flat_map(|variant| self.benchmarks(name, variant)).collect();
        }
        let levels: Vec<usize> = match &name.level {
            None => vec![0],
            Some(level) => {
                let levels = self.measured.levels.iter().enumerate();
                levels.filter(|it| level.matches(&it.1.label)).map(|it| it.0).collect()
            }
        };
        let requests = |level: usize| -> Vec<Option<u32>> {
            let Some(wanted) = &request else { return vec![None] };
            let names = (0..).zip(&self.measured.levels[level].plan.requests);
            names.filter(|(_, name)| wanted.matches(name)).map(|(request, _)| Some(request)).collect()
        };
        let places = variants.flat_map(|variant| levels.iter().map(move |&place| (variant, place)));
        let places = places.flat_map(|(variant, place)| {
            requests(place).into_iter().map(move |request| Of { variant, place, request })
        });
        places.collect()
    }

    /// Notes what a figure of this kind is of, and whether the generator was the limit there.
    fn note_place(&mut self, variant: usize, level: usize, kind: generator::FigureKind) {
        let measured = self.measured;
        let rounds = &measured.variants[variant].levels[level];
        let (variant, level) = (&measured.plan().variants[variant], &measured.levels[level]);
        let place = Place::of_level(&variant.name, &level.label);
        if self.limited.is_none() && generator::falsifies(kind, level, rounds) {
            self.limited = Some(place.clone());
        }
        let disturbing = foreign::disturbing_percent(rounds).filter(|_| !matches!(kind, generator::FigureKind::Errors));
        if let Some(percent) = disturbing.filter(|_| self.disturbed.is_none()) {
            self.disturbed = Some((place.clone(), percent));
        }
        if !self.about.contains(&place) {
            self.about.push(place);
        }
    }

    fn figure(&mut self, name: &FigureName, place: Of) -> Result<Formula, String> {
        let Of { variant, place: level, request } = place;
        let of = name.series.as_ref().map(|series| series.text.as_str());
        let series = match request {
            Some(request) => name.metric.series_of_request(self.measured, variant, level, request),
            None => name.metric.series(self.measured, variant, level, of),
        };
        if series.is_empty() {
            let mut missing = name.clone();
            missing.variant.text.clone_from(&self.measured.plan().variants[variant].name);
            if let Some(request) = request {
                missing.variant.text.push('/');
                missing.variant.text.push_str(&self.measured.levels[level].plan.requests[request as usize]);
            }
            if let Some(label) = &mut missing.level {
                label.text = match name.metric.is_of_benchmark() {
                    true => self.benchmark_label(level).to_owned(),
                    false => self.measured.levels[level].label.clone(),
                };
            }
            let why = variant::brief_problem(self.measured, variant);
            let rounds = self.measured.variants[variant].levels.get(level).map_or(&[][..], Vec::as_slice);
            let why = why.unwrap_or_else(|| name.metric.why_absent(rounds, request));
            return Err(format!("{missing} was not measured: {why}"));
        }
        if name.metric.needs_level() {
            self.note_place(variant, level, name.metric.kind());
        }
        self.figures.push(series);
        self.scatters.push(name.metric.scatter(self.measured, place, of));
        self.ends.push(name.metric.ends(self.measured, variant, of));
        Ok(Formula::Figure(self.figures.len() - 1))
    }
}
