//! The execution in short: its plan, and how much of it was done.

use plimsoll_record::RunStatus;

use crate::{
    measured::Measured,
    results::{Summary, UntilDecided},
};

pub(crate) fn of(measured: &Measured) -> Summary {
    let data = measured.data;
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
        rounds: measured.rounds(),
        until_decided: plan.until_decided.map(|until| UntilDecided { at_most: plan.rounds, at_least: until.at_least }),
        seed: plan.seed,
        segment: plan.segment,
        runs_done: data.runs.iter().filter(|it| it.run.status == RunStatus::Done).count() as u32,
        runs_planned: measured.rounds() * plan.variants.len() as u32,
    }
}
