//! Levels and censuses of a run that an explanation is made of.

use plimsoll_record::{Census, LevelPlan, Nanos, Phase, RunData, Window};

/// The part of a run that is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope<'a> {
    /// The target, which was loaded only to be explained.
    Alone,
    /// A level (or without a label the capacity that a search found), by loads after the measured ones.
    AfterALoad(Option<&'a str>),
}

impl<'a> Scope<'a> {
    pub(crate) const fn level(self) -> Option<&'a str> {
        match self {
            Self::Alone => None,
            Self::AfterALoad(level) => level,
        }
    }

    /// The phase of the levels that figures are made of.
    pub(super) const fn phase(self) -> Phase {
        match self {
            Self::Alone => Phase::Measured,
            Self::AfterALoad(_) => Phase::Explanation,
        }
    }

    /// Whether a level belongs to a window of this scope.
    pub(super) fn is_of(self, level: &LevelPlan, window: Window) -> bool {
        let is_its_own = match window {
            Window::Rest => false,
            Window::Light => true,
            Window::Full => self == Self::Alone || level.explains.as_deref() == self.level(),
        };
        is_its_own && level.label == window.label()
    }

    /// Censuses of a window: those while one of its levels was offered.
    pub(super) fn censuses(self, run: &RunData, window: Window) -> Vec<&Census> {
        let began_last = |at: Nanos| run.levels.iter().rfind(|level| level.started <= at);
        let is_its_own = |census: &&Census| {
            self == Self::Alone
                || window == Window::Rest
                || began_last(census.at).is_some_and(|level| self.is_of(&level.plan, window))
        };
        run.censuses.iter().filter(|census| census.window == window).filter(is_its_own).collect()
    }
}
