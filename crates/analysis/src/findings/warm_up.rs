//! Warm-ups of different lengths, and the JIT compilers after a warm-up.

use plimsoll_record::{
    ExecutionData, Phase, RunData,
    metric::{CPU_PERCENT, jvm::COMPILER_CPU_MS},
};
use plimsoll_text::number::lasting;

use super::Cell;
use crate::{
    measured::{LevelRound, Measured},
    results::{Finding, Kind, Measure, Place, Results, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&UNEQUAL];
pub(super) const LEVEL_KINDS: &[&Kind] = &[&COMPILING];

static UNEQUAL: Kind = Kind {
    id: "unequal-warm-up",
    title: "warm-ups of different lengths",
    weight: Weight::Info,
    means: "A warm-up that ends once its target is warm is as long as the longest before it. A variant of this round \
            needed longer than those that ran before it, so these had less time to warm up: a part of a difference \
            between them may be that. Later rounds are alike.",
    remedy: "Measure more rounds, or give all the same length: `warmup: {duration: …}`.",
    evidence: &[
        Measure { name: "longest", unit: "s", about: "the longest warm-up of the round" },
        Measure { name: "shortest", unit: "s", about: "the shortest" },
    ],
};

static COMPILING: Kind = Kind {
    id: "jit-within-level",
    title: "the JIT within a level",
    weight: Weight::Info,
    means: "After its warm-up, threads of the JIT compilers still used 5 % of the target's CPU or more within the \
            level: the figures are in part those of a service that warms up.",
    remedy: "Warm up for longer: `warmup: {until: steady, at-most: …}`.",
    evidence: &[
        Measure { name: "share", unit: "%", about: "of the target's CPU used by the JIT compilers" },
        Measure { name: "compilers", unit: "ms", about: "CPU of the JIT compilers" },
    ],
};

/// The least difference that counts, in seconds: warm-ups end at a full second.
const NOTABLE_S: f64 = 1.5;
/// The least share of the target's CPU, in percent, that the compilers take.
const LEAST_PERCENT: f64 = 5.0;

/// The round whose warm-ups differ most.
pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Finding> {
    let rounds = (0..measured.rounds()).filter_map(|round| Some((round, spread(measured.data, round)?)));
    let worst = rounds.max_by(|a, b| (a.1.1 - a.1.0).total_cmp(&(b.1.1 - b.1.0)));
    let found = worst.filter(|(_, (shortest, longest))| longest - shortest >= NOTABLE_S);
    let finding = |(round, (shortest, longest)): (u32, (f64, f64))| {
        let [least, most] = [shortest, longest].map(lasting);
        let says = format!(
            "In round {} one warm-up took {least} and another {most}, since a variant that ran later needed longer.",
            round + 1
        );
        let place = Place::default().in_round(Some(round));
        UNEQUAL.at(place, says).with("longest", longest).with("shortest", shortest)
    };
    found.map(finding).into_iter().collect()
}

/// Lengths of the shortest and the longest warm-up of a round, in seconds.
fn spread(data: &ExecutionData, round: u32) -> Option<(f64, f64)> {
    let of_run = |run: &RunData| {
        let level = run.levels.iter().find(|level| level.plan.phase == Phase::WarmUp)?;
        Some(level.took?.as_secs_f64())
    };
    let lengths: Vec<f64> = data.runs.iter().filter(|it| it.run.round == round).filter_map(of_run).collect();
    lengths.iter().copied().reduce(f64::min).zip(lengths.iter().copied().reduce(f64::max))
}

/// The round in which the compilers took the most.
pub(super) fn at(cell: &Cell) -> Option<Finding> {
    if !cell.has_warm_up {
        return None;
    }
    let (place, percent) = cell.worst(|round| Some(compiling(round)?.0)).filter(|it| it.1 >= LEAST_PERCENT)?;
    let round = cell.rounds.iter().find(|it| Some(it.round) == place.round)?;
    let cpu_ms = compiling(round)?.1;
    let says = format!(
        "The JIT compilers used {} ms of CPU within the level, {} % of the target's: it was still warming up.",
        number(cpu_ms),
        number(percent)
    );
    Some(COMPILING.at(place, says).with("share", percent).with("compilers", cpu_ms))
}

/// Share of the target's CPU, in percent, and CPU in milliseconds.
fn compiling(round: &LevelRound) -> Option<(f64, f64)> {
    let cpu_ms = round.watched.growth(COMPILER_CPU_MS.name)?;
    let of_target_ms = round.watched.mean(CPU_PERCENT.name)? / 100.0 * round.duration.as_millis_f64();
    (of_target_ms > 0.0).then(|| (100.0 * cpu_ms / of_target_ms, cpu_ms))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{LevelData, LevelPlan, Load, Nanos, ThinkTime};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, burst, execution, level, plan, run, samples, variant},
    };

    fn warm_up() -> LevelPlan {
        let load = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(60), think: ThinkTime::None };
        LevelPlan::new("warm-up", Phase::WarmUp, load)
    }

    fn warmed(seconds: u64) -> LevelData {
        let request = Request::ok(Nanos::ZERO, Nanos::from_millis(1));
        LevelData { took: Some(Nanos::from_secs(seconds)), ..level(&warm_up(), Nanos::ZERO, &[request]) }
    }

    #[test]
    fn a_round_whose_warm_ups_differ_is_told() {
        let found = |lengths: &[u64]| {
            let runs = lengths.iter().enumerate();
            let runs = runs.map(|(at, &seconds)| run(at % 2, at as u32 / 2, Nanos::ZERO, vec![warmed(seconds)]));
            let variants = vec![variant("a"), variant("b")];
            let data = execution(plan(variants, vec![warm_up()], 2), runs.collect());
            find(&Measured::of(&data), &analyse(&data))
        };
        assert!(found(&[12, 13, 13, 13]).is_empty());
        let told = found(&[8, 20, 20, 20]);
        assert_eq!(told[0].place.round, Some(0));
        assert!(told[0].says.starts_with("In round 1 one warm-up took 8 s and another 20 s"), "{}", told[0].says);
    }

    #[test]
    fn compilers_are_told_of_levels_after_a_warm_up() {
        let found = |compiler_ms: f64, levels: Vec<LevelPlan>| {
            let request = Request::ok(Nanos::ZERO, Nanos::from_secs(1));
            let mut data = run(0, 0, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])]);
            data.samples = samples("cpu_percent", &[(0, 100.0), (900, 100.0)]);
            data.samples.extend(samples("jvm_compiler_cpu_ms", &[(0, 0.0), (900, compiler_ms)]));
            let data = execution(plan(vec![variant("a")], levels, 1), vec![data]);
            found_at_levels(&data, &analyse(&data), at)
        };
        assert!(found(40.0, vec![warm_up(), burst(1)]).is_empty());
        assert!(found(200.0, vec![burst(1)]).is_empty(), "cold behaviour is what is measured");
        let says = &found(200.0, vec![warm_up(), burst(1)])[0].says;
        assert!(says.starts_with("The JIT compilers used 200 ms of CPU within the level, 20 % of"), "{says}");
    }
}
