//! Progress of a run loop for the person who waits: lines that stay for what happened, the live line for what happens.

use std::collections::BTreeSet;

use plimsoll_lab::{Event, Place, Progress};
use plimsoll_record::{Phase, Plan, RunStatus};
use plimsoll_text::{count, counted, number::in_full, plural};

use super::{Live, clock};

/// How many of a target's last lines are shown when it did not end well.
const TAIL_LINES: usize = 15;

/// Tells of an execution.
pub struct Narrator {
    live: Live,
    quiet: bool,
    /// Names of the variants.
    variants: Vec<String>,
    /// Reasons for which one was skipped.
    skipped: BTreeSet<String>,
}

impl Narrator {
    /// `quiet` leaves out what went well.
    pub fn new(live: Live, quiet: bool, plan: &Plan) -> Self {
        let variants = plan.variants.iter().map(|variant| variant.name.clone()).collect();
        Self { live, quiet, variants, skipped: BTreeSet::new() }
    }

    pub fn tell(&mut self, event: Event) {
        match event {
            Event::Preparing { .. } | Event::Started { .. } | Event::Ended { .. } => {}
            Event::PreparationStep { step, .. } => self.mention(&step),
            Event::PreparationProgress { line, .. } => self.live.progress(&line),
            Event::Note(note) => self.live.say(&format!("note: {note}")),
            Event::Skipped { variant, detail, telling } => {
                let name = self.variants.get(variant).map(|name| format!("{name}: ")).unwrap_or_default();
                if self.skipped.insert(detail.clone()) {
                    self.live.say(&format!("note: {name}{detail}"));
                    telling.iter().for_each(|line| self.live.say(&format!("    {line}")));
                } else {
                    self.live.say(&format!("note: {name}skipped for the same reason"));
                }
            }
            Event::RunStarting(place) => self.live.progress(&format!("{}  starting", at(&place))),
            Event::Ready { place, startup } => self.live.progress(&format!("{}  ready after {startup}", at(&place))),
            Event::LevelStarted { place, level } => {
                self.live.progress(&format!("{}  {}", at(&place), level_name(&level)));
            }
            Event::Looked { rounds, undecided } => self.mention(&looked(rounds, &undecided)),
            Event::Progress(progress) => self.live.progress(&line(&progress)),
            Event::Searching { place, standing, remaining } => {
                let left = remaining.map_or_else(String::new, |left| format!(", at most {} left", clock(left)));
                self.live.progress(&format!("{}  {}{left}", at(&place), super::search::in_short(&standing)));
            }
            Event::Explaining { place, progress, remaining } => {
                let left = remaining.map_or_else(String::new, |left| format!(", {} left", clock(left)));
                self.live.progress(&format!("{}  {}{left}", at(&place), super::explanation::in_short(&progress)));
            }
            Event::Told { place, line } => self.live.progress(&format!("{}  {line}", at(&place))),
            Event::RunEnded { place, status, detail, output_tail } => self.ended(&place, status, detail, &output_tail),
        }
    }

    fn mention(&mut self, text: &str) {
        if !self.quiet {
            self.live.say(text);
        }
    }

    fn ended(&mut self, place: &Place, status: RunStatus, detail: Option<String>, output_tail: &[String]) {
        let what = match status {
            RunStatus::Done => return,
            RunStatus::Died => "died",
            RunStatus::NotReady => "was never ready",
            RunStatus::UpstreamFailed => "ended without its upstream",
            RunStatus::PartsLost => "ended without its load",
            RunStatus::BenchmarksFailed => "failed",
            RunStatus::BuildFailed => "was not built",
            RunStatus::Skipped => "skipped",
            RunStatus::Interrupted | RunStatus::Running => "interrupted",
        };
        let why = detail.map(|detail| format!(": {detail}")).unwrap_or_default();
        self.live.say(&format!("{}  {what}{why}", at(place)));
        for line in &output_tail[output_tail.len().saturating_sub(TAIL_LINES)..] {
            self.live.say(&format!("    {line}"));
        }
    }
}

/// `[ 4/9] round 2 of 3  web-jar`.
fn at(place: &Place) -> String {
    let width = place.runs.to_string().len();
    let most = if place.is_until_decided { "at most " } else { "" };
    let round = format!("round {} of {most}{}", place.round + 1, place.rounds);
    format!("[{:>width$}/{}] {round}  {}", place.run + 1, place.runs, place.name)
}

/// `after 5 rounds 2 claims are undecided: A; B`.
fn looked(rounds: u32, undecided: &[String]) -> String {
    let rounds = counted(rounds.into(), "round");
    match undecided {
        [] => format!("after {rounds} all claims are decided"),
        all => {
            let claims = plural(all.len() as u64, "claim is", "claims are");
            format!("after {rounds} {claims} undecided: {}", all.join("; "))
        }
    }
}

fn level_name(level: &plimsoll_lab::LevelPlace) -> String {
    match level.phase {
        Phase::WarmUp => "warm-up".to_owned(),
        Phase::Measured | Phase::Recovery | Phase::Explanation | Phase::Census | Phase::Discarded => {
            format!("level {}", plimsoll_record::label_for_people(&level.label))
        }
    }
}

fn line(progress: &Progress) -> String {
    let p99 = progress.p99.map_or_else(|| "–".to_owned(), |p99| p99.to_string());
    let most = if progress.place.is_until_decided { "at most " } else { "" };
    let left = progress.remaining.map(|left| format!(", {most}{} left", clock(left))).unwrap_or_default();
    format!(
        "{}  {}  {} req/s  p99 {p99}  {} errors  {}{left}",
        at(&progress.place),
        level_name(&progress.level),
        in_full(progress.throughput_per_s, 3),
        count(progress.failed),
        clock(progress.elapsed),
    )
}
