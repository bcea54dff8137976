//! The execution in short: its plan, and how much of it was done.

use plimsoll_record::{ExecutionData, RunStatus};

use crate::results::Summary;

pub(crate) fn of(data: &ExecutionData) -> Summary {
    let execution = &data.execution;
    let plan = &execution.plan;
    Summary {
        id: execution.id,
        name: plan.name.clone(),
        title: plan.title.clone(),
        description: plan.description.clone(),
        started_at: execution.started_at.clone(),
        ended_at: execution.ended_at.clone(),
        status: execution.status,
        pace: plan.pace.clone(),
        rounds: plan.rounds,
        seed: plan.seed,
        segment: plan.segment,
        runs_done: data.runs.iter().filter(|it| it.run.status == RunStatus::Done).count() as u32,
        runs_planned: plan.rounds * plan.variants.len() as u32,
    }
}
