//! Kinds of executions, and their states.

use plimsoll_record::{ExecutionStatus, Plan};

/// The command that made an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `run`: variants compared.
    Experiment,
    /// `load`.
    Load,
    /// `line`, or an experiment that searches for load lines.
    Line,
    /// `explain`.
    Explanation,
    /// `explain --prove`, and `run --prove`.
    Proof,
}

impl Kind {
    /// Every kind, in the order of choices.
    pub const ALL: [Self; 5] = [Self::Experiment, Self::Load, Self::Line, Self::Explanation, Self::Proof];

    /// The kind of a plan.
    pub fn of(plan: &Plan) -> Self {
        let explains_alone = plan.explain.as_ref().is_some_and(|it| it.of.is_empty());
        match plan {
            Plan { proof: Some(_), .. } => Self::Proof,
            Plan { line: Some(_), .. } => Self::Line,
            _ if explains_alone => Self::Explanation,
            Plan { source: None, name, .. } if name == "load" => Self::Load,
            _ => Self::Experiment,
        }
    }

    /// One word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Experiment => "experiment",
            Self::Load => "load",
            Self::Line => "line",
            Self::Explanation => "explanation",
            Self::Proof => "proof",
        }
    }
}

/// The state of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its record was written just now.
    Live,
    /// Not ended, but nothing is written: it prepares its runs, or was killed.
    Unfinished,
    /// Every run was made.
    Done,
    /// Ended by Ctrl-C.
    Interrupted,
    /// Ended by a defect.
    Failed,
}

impl State {
    /// The state of a status; `is_written`: something was written just now.
    pub const fn of(status: ExecutionStatus, is_written: bool) -> Self {
        match status {
            ExecutionStatus::Running if is_written => Self::Live,
            ExecutionStatus::Running => Self::Unfinished,
            ExecutionStatus::Done => Self::Done,
            ExecutionStatus::Interrupted => Self::Interrupted,
            ExecutionStatus::Failed => Self::Failed,
        }
    }

    /// One word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Live => "running",
            Self::Unfinished => "unfinished",
            Self::Done => "done",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{ExplainPlan, Explained, LinePlan, ProofPlan};

    use super::*;

    #[test]
    fn a_plan_tells_its_command() {
        let named = |name: &str| Plan { name: name.to_owned(), ..Plan::default() };
        assert_eq!(Kind::of(&named("load")), Kind::Load);
        assert_eq!(Kind::of(&named("greetings")), Kind::Experiment);
        let of_a_file = Plan { source: Some("variants:".to_owned()), ..named("load") };
        assert_eq!(Kind::of(&of_a_file), Kind::Experiment, "a file may have that name");
        assert_eq!(Kind::of(&Plan { line: Some(LinePlan::default()), ..named("line") }), Kind::Line);
        let explain = |of| Plan { explain: Some(ExplainPlan { of, ..ExplainPlan::default() }), ..named("a") };
        assert_eq!(Kind::of(&explain(Vec::new())), Kind::Explanation);
        let beside = Explained { variant: "a".to_owned(), level: None };
        assert_eq!(Kind::of(&explain(vec![beside])), Kind::Experiment);
        assert_eq!(Kind::of(&Plan { proof: Some(ProofPlan::default()), ..named("a") }), Kind::Proof);
    }
}
