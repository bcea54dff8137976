//! Where the line of one criterion may lie, from the counts of all trials together.

use crate::{
    drift,
    likelihood::{Base, Bursts, Mean},
    theory::Theory,
    trial::{Counts, Trial, dispersion_of_arrivals},
};

/// Places of the line that are told apart.
const LINES: usize = 72;
/// Slopes, as multiples of what theory expects, and how likely each is: log-normal, σ = 0.6.
const SLOPES: [(f64, f64); 7] =
    [(0.34, 0.05), (0.49, 0.12), (0.70, 0.20), (1.0, 0.26), (1.43, 0.20), (2.05, 0.12), (2.94, 0.05)];
/// The least of them where failures count.
const LEAST_SLOPE_OF_FAILURES: f64 = 0.2;
/// Parts of the allowed share that are slow by themselves, at any rate, and how likely each is.
const BASES: [(f64, f64); 6] = [(0.0, 0.4), (0.02, 0.12), (0.06, 0.12), (0.13, 0.12), (0.24, 0.12), (0.4, 0.12)];
/// Relaxation times that a trial must last before few late responses speak for its rate in full.
const FULL_WEIGHT: f64 = 8.0;
/// Windows over which the dispersion is measured, in relaxation times, and what part of it they show.
const WINDOW: f64 = 15.0;
const WINDOW_SHOWS: f64 = 0.89;
/// The least length of a window, in seconds: where requests come in batches, queues remember longer than theory says.
const WINDOW_LEAST: f64 = 2.0;
/// The dispersion as a multiple of what theory expects: before anything is known, and how many windows that weighs. A
/// margin for looking at the same counts again and again is on top.
pub(crate) const EXPECTED: f64 = 0.8;
const EXPECTED_WEIGHT: f64 = 4.0;
/// Its bounds. Where the memory of the service is known to be short, many windows may show less than the first.
const BOUNDS: (f64, f64) = (0.65, 8.0);
const LEAST_IF_SHORT: f64 = 0.3;
const MANY_WINDOWS: f64 = 12.0;
/// Beyond the line bursts are larger still: up to so many times as at the line.
const BEYOND: f64 = 1.5;
pub(crate) const LOOKING_OFTEN: f64 = 1.1;
/// Beyond this multiple of the line the share of late responses no longer follows the slope.
const NEAR: f64 = 1.08;
/// A share of late responses that grows no further with the rate.
const GREATEST_SHARE: f64 = 0.5;

/// The place of the line and the dispersion each depend on the other.
const LOOKS_MOST: usize = 3;

/// How widely bursts spread, as multiples of what is expected of them, and how likely each is. Where most requests take
/// long by themselves the queue only adds to it, so that bursts are many and small.
const SPREADS: [(f64, f64); 2] = [(1.0, 0.75), (0.2, 0.25)];

const CELLS: usize = LINES * SPREADS.len() * SLOPES.len() * BASES.len();

/// Knowledge about the line of one criterion.
#[derive(Clone, Debug)]
pub(crate) struct Posterior {
    criterion: usize,
    share: f64,
    theory: Theory,
    /// Logarithms of the range in which the line is looked for.
    from: f64,
    to: f64,
    /// The dispersion as a multiple of what theory expects.
    dispersion: f64,
    /// Logarithms of the likelihood of each trial, by cell, with the number of slots that they are of.
    trials: Vec<(usize, Vec<f64>)>,
    /// Probability of each line.
    lines: Vec<f64>,
    likeliest: Cell,
}

/// One assumption about the service.
#[derive(Clone, Copy, Debug)]
struct Cell {
    line: f64,
    slope: f64,
    base: f64,
}

impl Posterior {
    /// Nothing is known but that the line lies between `from` and `to`.
    pub fn new(criterion: usize, share: f64, theory: Theory, from: f64, to: f64) -> Self {
        let likeliest = Cell { line: theory.line(), slope: theory.slope(theory.line()), base: 0.0 };
        Self {
            criterion,
            share,
            theory,
            from: from.ln(),
            to: to.ln(),
            dispersion: EXPECTED * LOOKING_OFTEN,
            trials: Vec::new(),
            lines: vec![1.0 / LINES as f64; LINES],
            likeliest,
        }
    }

    pub fn theory(&self) -> &Theory {
        &self.theory
    }

    /// Seconds at the beginning of a trial at `rate` that do not count.
    pub fn settling(&self, rate: f64) -> f64 {
        self.theory.settling(rate)
    }

    /// Counts of a trial, once its queue had time to fill.
    pub fn counts(&self, trial: &Trial) -> Counts {
        trial.counts(self.criterion, self.settling(trial.rate))
    }

    /// The counts of several trials together.
    pub fn counts_of(&self, trials: &[&Trial]) -> Counts {
        let mut all = Counts::default();
        for counts in trials.iter().map(|trial| self.counts(trial)) {
            all.offered += counts.offered;
            all.beyond += counts.beyond;
            all.length += counts.length;
        }
        all
    }

    /// Takes in all trials; what was known of them before is kept if it still holds.
    pub fn learn(&mut self, trials: &[&Trial]) {
        self.trials.truncate(trials.len());
        for (index, trial) in trials.iter().enumerate() {
            let slots = trial.seen.slots.len();
            match self.trials.get(index) {
                Some((known, _)) if *known == slots => {}
                _ => {
                    let cells = self.likelihoods(trial);
                    match self.trials.get_mut(index) {
                        Some(place) => *place = (slots, cells),
                        None => self.trials.push((slots, cells)),
                    }
                }
            }
        }
        self.weigh();
    }

    /// Forgets what was made of the trials, as some of them are no longer there.
    pub fn forget(&mut self) {
        self.trials.clear();
    }

    /// After a trial: looks closer where the line must be, and measures the dispersion.
    pub fn settle(&mut self, trials: &[&Trial]) {
        self.theory = self.theory.with_arrivals(dispersion_of_arrivals(trials));
        self.learn(trials);
        for _ in 0..LOOKS_MOST {
            let dispersion = self.measured_dispersion(trials);
            let has_other = (dispersion / self.dispersion).ln().abs() > 0.05;
            if has_other {
                self.dispersion = dispersion;
            }
            if !self.look_closer() && !has_other {
                break;
            }
            self.forget();
            self.learn(trials);
        }
    }

    /// The load that a part of a trial met: as many requests as came, which by chance are more or fewer than wanted.
    fn load_of(&self, trial: &Trial, part: &Counts) -> f64 {
        if self.theory.is_of_users() { trial.rate } else { part.offered / part.length }
    }

    fn line_at(&self, index: usize) -> f64 {
        let step = (self.to - self.from) / LINES as f64;
        (self.from + (index as f64 + 0.5) * step).exp()
    }

    fn share_at(&self, rate: f64, cell: Cell) -> f64 {
        let bursts = (cell.slope * (rate / cell.line - 1.0)).min(50.0).exp();
        (self.share * (1.0 - cell.base) * bursts).min(GREATEST_SHARE)
    }

    /// Failures may rise slowly: where 20 places are all that there is, eight times as fast as the rate (Erlang B), and
    /// with fewer places slower.
    fn slope_factor(&self, factor: f64) -> f64 {
        let is_least_of_failures = !self.theory.has_limit() && factor <= SLOPES[0].0;
        if is_least_of_failures { LEAST_SLOPE_OF_FAILURES } else { factor }
    }

    fn likelihoods(&self, trial: &Trial) -> Vec<f64> {
        let counts = self.counts(trial);
        let mut cells = vec![0.0; CELLS];
        if counts.offered == 0.0 {
            return cells;
        }
        let rate = self.load_of(trial, &counts);
        let bases = BASES.map(|(base, _)| Base::new(counts.offered * self.share * base, &counts));
        let most = (counts.offered * GREATEST_SHARE).ln();
        let ln_allowed = BASES.map(|(base, _)| (counts.offered * self.share * (1.0 - base)).ln());
        let mut expected = vec![0.0; CELLS];
        let mut at = 0;
        for index in 0..LINES {
            let line = self.line_at(index);
            let dispersion = self.theory.dispersion(rate).min(BEYOND * self.theory.dispersion(line));
            let rise_of_theory = self.theory.slope(line) * (rate / line - 1.0);
            for (spread, _) in SPREADS {
                let bursts = Bursts::new(spread * self.dispersion * dispersion);
                for (factor, _) in SLOPES {
                    let rise = self.slope_factor(factor) * rise_of_theory;
                    for (base, ln_allowed) in bases.iter().zip(ln_allowed) {
                        let mean = Mean::of_ln((ln_allowed + rise).min(most));
                        cells[at] = base.ln_likelihood(&bursts, mean);
                        expected[at] = mean.value() + base.mean();
                        at += 1;
                    }
                }
            }
        }
        // A queue needs time to build: a short trial with few late responses says less than it seems.
        let weight = counts.length / (FULL_WEIGHT * self.theory.relaxation(trial.rate));
        if weight < 1.0 {
            let best = cells.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for (cell, expected) in cells.iter_mut().zip(&expected) {
                if *expected > counts.beyond {
                    *cell = best + weight * (*cell - best);
                }
            }
        }
        cells
    }

    fn weigh(&mut self) {
        let mut cells = vec![0.0; CELLS];
        for (_, trial) in &self.trials {
            cells.iter_mut().zip(trial).for_each(|(sum, cell)| *sum += cell);
        }
        let (best, greatest) = cells
            .iter()
            .copied()
            .enumerate()
            .fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best });
        let per_spread = SLOPES.len() * BASES.len();
        let per_line = SPREADS.len() * per_spread;
        let mut lines: Vec<f64> = Vec::with_capacity(LINES);
        for cells in cells.chunks_exact(per_line) {
            let mut sum = 0.0;
            for (cells, (_, spread)) in cells.chunks_exact(per_spread).zip(SPREADS) {
                for (cells, (_, slope)) in cells.chunks_exact(BASES.len()).zip(SLOPES) {
                    for (cell, (_, base)) in cells.iter().zip(BASES) {
                        sum += spread * slope * base * (cell - greatest).exp();
                    }
                }
            }
            lines.push(sum);
        }
        let total: f64 = lines.iter().sum();
        lines.iter_mut().for_each(|line| *line /= total);
        self.lines = lines;
        let line = self.line_at(best / per_line);
        self.likeliest = Cell {
            line,
            slope: self.slope_factor(SLOPES[best % per_spread / BASES.len()].0) * self.theory.slope(line),
            base: BASES[best % BASES.len()].0,
        };
    }

    /// The length of the windows in which the dispersion of a trial at `rate` is measured.
    fn window(&self, rate: f64) -> f64 {
        let least = if self.theory.is_memory_short() { 0.0 } else { WINDOW_LEAST };
        (WINDOW * self.theory.relaxation(rate)).max(least)
    }

    /// The dispersion in windows of all trials near the line, around what the likeliest cell expects.
    fn measured_dispersion(&self, trials: &[&Trial]) -> f64 {
        let cell = self.likeliest;
        let (mut squares, mut expected, mut windows) = (0.0, 0.0, 0.0);
        for trial in trials.iter().filter(|trial| trial.rate < cell.line * NEAR) {
            let length = self.window(trial.rate);
            let unit = self.theory.dispersion(trial.rate.min(cell.line)) * WINDOW_SHOWS;
            for window in trial.windows(self.criterion, self.settling(trial.rate), length) {
                let share = self.share_at(self.load_of(trial, &window), cell) + self.share * cell.base;
                let mean = window.offered * share;
                squares += (window.beyond - mean).powi(2);
                expected += mean * unit;
                windows += 1.0;
            }
        }
        if windows == 0.0 || expected == 0.0 {
            return EXPECTED * LOOKING_OFTEN;
        }
        let prior = EXPECTED_WEIGHT * expected / windows;
        let measured = (squares + prior * EXPECTED) / (expected + prior);
        let least = match self.theory.is_memory_short() {
            true => (BOUNDS.0 * MANY_WINDOWS / windows).clamp(LEAST_IF_SHORT, BOUNDS.0),
            false => BOUNDS.0,
        };
        measured.clamp(least, BOUNDS.1) * LOOKING_OFTEN
    }

    /// See [`drift::turned_slower`].
    pub fn turned_slower(&self) -> (f64, usize) {
        let trials: Vec<&[f64]> = self.trials.iter().map(|(_, cells)| cells.as_slice()).collect();
        drift::turned_slower(&trials, CELLS / LINES)
    }

    /// The dispersion of requests beyond the limit at `rate`; none where nothing is steady.
    pub fn dispersion_at(&self, rate: f64) -> Option<f64> {
        let most = BEYOND * self.theory.dispersion(self.likeliest.line);
        self.theory.is_steady_at(rate).then(|| self.dispersion * self.theory.dispersion(rate).min(most))
    }

    /// Narrows the range to where the line may be, once that is a small part of it; whether it did.
    fn look_closer(&mut self) -> bool {
        let possible = |&probability: &f64| probability > 1e-7;
        let Some(first) = self.lines.iter().position(possible) else { return false };
        let last = self.lines.iter().rposition(possible).unwrap_or(first);
        let count = last - first + 1;
        if count > LINES / 3 {
            return false;
        }
        let step = (self.to - self.from) / LINES as f64;
        let room = (count as f64 * 0.5).max(2.0) * step;
        let (from, to) = (self.from + first as f64 * step - room, self.from + (last + 1) as f64 * step + room);
        (self.from, self.to) = (from.max(self.from), to.min(self.to));
        true
    }

    /// The probability that the line is below `rate`.
    pub fn below(&self, rate: f64) -> f64 {
        let place = (rate.ln() - self.from) / (self.to - self.from) * LINES as f64;
        let whole = (place.floor().max(0.0) as usize).min(LINES);
        let sum: f64 = self.lines[..whole].iter().sum();
        let part = if whole < LINES { self.lines[whole] * (place - whole as f64).clamp(0.0, 1.0) } else { 0.0 };
        (sum + part).min(1.0)
    }

    /// The lowest and the highest rate that the line may have.
    pub fn range(&self) -> (f64, f64) {
        (self.from.exp(), self.to.exp())
    }
}
