//! A live run: its last second in figures, and the charts of the report's time line, moving.

use std::time::Duration;

use jiff::Timestamp;
use maud::{Markup, html};
use plimsoll_analysis::{
    RunResults,
    results::{LoadPoint, SamplePoint},
    time_line,
};
use plimsoll_record::{LevelData, Phase, RunData, label_for_people, metric, store::Recent};
use plimsoll_report::frame;
use plimsoll_text::number::{NONE, clock, sig3, time};

use crate::{
    held::{Values, draw_out},
    kind::State,
    route::Place,
    shelf::Facts,
};

/// The moment of a look, and how long before it the record was written.
pub struct Written {
    /// Whether a process writes it.
    pub is_going_on: bool,
    /// Whether one does for a later execution of the same record, and maybe for this one as well.
    pub is_by_another: bool,
    /// Values of metrics just before the window that is shown.
    pub held: Values,
    /// Time since the record was last written; none if that is not known.
    pub ago: Option<Duration>,
    /// The moment of the look.
    pub now: Timestamp,
}

/// The page.
pub fn page(place: &Place, recent: &Recent, written: &Written) -> Markup {
    let facts = Facts::of(&recent.execution);
    let main = html! {
        section.hero.live {
            p.kicker {
                "#" (place.id) " of " (place.key) " · started " (super::moment(facts.started)) " UTC · "
                (facts.kind.word())
            }
            h1.long { (super::shown(facts.heading(), 160)) }
            div #now data-from={ (place.live()) "/now" } { (now(place, recent, written)) }
        }
    };
    super::page(facts.heading(), &["live.js"], &main)
}

/// The part that moves.
pub fn now(place: &Place, recent: &Recent, written: &Written) -> Markup {
    let state = State::of(recent.execution.status, written.is_going_on);
    let has_ended = recent.execution.ended_at.is_some();
    html! {
        div.moving data-state=(state.word()) data-ended[has_ended] {
            p.lede.progress {
                span class={ "state " (state.word()) } { (state.word()) } " " (progress(recent, written))
            }
            @if has_ended {
                p.over { a.open href=(place.report()) { "It has ended: open the report" } }
            } @else if state == State::Unfinished {
                p.over {
                    @if written.is_by_another {
                        "A later execution is written to the same record. This one goes on beside it, or was killed. "
                    } @else {
                        (silence(written.ago)) " It prepares what it runs, or was killed. "
                    }
                    a href=(place.report()) { "Report of what was measured" }
                }
            }
            @if let Some(run) = &recent.run {
                @let results = drawn(recent, run, written);
                (tiles(&results))
                div.charts { (frame::time_line(&results, recent.from.as_secs_f64())) }
            }
        }
    }
}

/// The time line, with values that hold extended over the window.
fn drawn(recent: &Recent, run: &RunData, written: &Written) -> RunResults {
    let mut results = time_line(&recent.execution.plan, run);
    draw_out(&mut results, written.held.clone(), recent.from.as_secs_f64());
    results
}

fn silence(ago: Option<Duration>) -> String {
    let ago = ago.map_or_else(|| "a while".to_owned(), |ago| clock(ago.as_secs()));
    format!("Nothing has been written for {ago}.")
}

/// `run 3 of 9: web-jar, round 1; level 300, 0:12 of 0:30; 4:05 since the start`.
fn progress(recent: &Recent, written: &Written) -> String {
    let execution = &recent.execution;
    let plan = &execution.plan;
    let planned = plan.rounds.max(1) * plan.variants.len().max(1) as u32;
    let mut parts = Vec::new();
    if let Some(RunData { run, levels, .. }) = &recent.run {
        let variant = plan.variants.get(run.variant).map_or(NONE, |variant| variant.name.as_str());
        if planned > 1 {
            let begun = recent.runs_begun;
            parts.push(format!("run {begun} of {planned}: {}, round {}", super::cut(variant, 60), run.round + 1));
        }
        parts.extend(levels.last().map(level));
    }
    let started: Option<Timestamp> = execution.started_at.parse().ok();
    let ended: Option<Timestamp> = execution.ended_at.as_ref().and_then(|moment| moment.parse().ok());
    if let Some(started) = started.filter(|_| ended.is_some() || written.is_going_on) {
        let seconds = ended.unwrap_or(written.now).duration_since(started).as_secs().max(0);
        parts.push(format!("{} {}", clock(seconds.unsigned_abs()), if ended.is_some() { "in all" } else { "so far" }));
    }
    parts.join(" · ")
}

/// `level 300, 0:12 of 0:30`.
fn level(level: &LevelData) -> String {
    let reached = level.intervals.last().map(|it| (it.start + it.duration).as_secs_f64()).unwrap_or_default();
    let name = match level.plan.phase {
        Phase::WarmUp => "warm-up".to_owned(),
        Phase::Explanation | Phase::Census => "explaining".to_owned(),
        Phase::Recovery => "recovery".to_owned(),
        Phase::Measured | Phase::Discarded => {
            format!("level {}", super::cut(&label_for_people(&level.plan.label), 60))
        }
    };
    let of =
        level.plan.load.duration().map_or_else(String::new, |all| format!(" of {}", clock(all.as_secs_f64() as u64)));
    format!("{name}, {}{of}", clock(reached as u64))
}

/// Figures of the last second.
fn tiles(run: &RunResults) -> Markup {
    let last: Option<&LoadPoint> = run.load.last();
    let of = |show: &dyn Fn(&LoadPoint) -> String| last.map_or_else(|| NONE.to_owned(), show);
    let of_time = |ms: Option<f64>| ms.map_or_else(|| NONE.to_owned(), time);
    let cpu: Option<&SamplePoint> = run.samples.get(metric::CPU_PERCENT.name).and_then(|samples| samples.last());
    let mut figures = vec![
        ("Succeeded", of(&|point| format!("{}/s", sig3(point.throughput_per_s)))),
        ("Failed", of(&|point| format!("{}/s", sig3(point.failed_per_s)))),
        ("Median response", of(&|point| of_time(point.median_ms))),
        ("99th percentile", of(&|point| of_time(point.p99_ms))),
    ];
    figures.extend(cpu.map(|sample| ("CPU of the target", format!("{} %", sig3(sample.value)))));
    html! {
        div.tiles aria-label="The last second" {
            @for (label, figure) in figures { div { p.figure { (figure) } p { (label) } } }
        }
    }
}
