//! Removal of the loads and looks that explain a run: they are no part of its figures.

use std::borrow::Cow;

use plimsoll_record::{ExecutionData, Nanos, Phase, RunData};

/// The execution as it was measured: without what came after the loads of its runs to explain them.
pub(crate) fn without_explanations(data: &ExecutionData) -> Cow<'_, ExecutionData> {
    let is_explained = data.execution.plan.explain.as_ref().is_some_and(|plan| !plan.of.is_empty());
    if !is_explained {
        return Cow::Borrowed(data);
    }
    let mut execution = data.execution.clone();
    execution.plan.levels.retain(|level| !is_left_out(level.phase));
    Cow::Owned(ExecutionData { execution, runs: data.runs.iter().map(measured).collect() })
}

const fn is_left_out(phase: Phase) -> bool {
    matches!(phase, Phase::Explanation | Phase::Census)
}

fn measured(run: &RunData) -> RunData {
    let levels = run.levels.iter().filter(|level| is_left_out(level.plan.phase)).map(|level| level.started);
    // The look at rest comes before the first load.
    let began = levels.chain(run.censuses.iter().map(|census| census.at)).min();
    let is_before = |at: Nanos| began.is_none_or(|began| at < began);
    RunData {
        run: run.run.clone(),
        levels: run.levels.iter().filter(|level| !is_left_out(level.plan.phase)).cloned().collect(),
        samples: run.samples.iter().filter(|sample| is_before(sample.at)).cloned().collect(),
        censuses: Vec::new(),
        scores: run.scores.clone(),
        output_tail: run.output_tail.clone(),
    }
}
