//! The first limit, in words.

use plimsoll_analysis::{
    Results,
    results::{Explanation, unseen_threads},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{in_full, time};

/// How to read it.
pub const HOW_TO_READ: &str = "The limit is the resource in front of which a queue grows with the load, and which is \
    itself always busy: the deepest of a chain of queues. Threads were asked for in windows of their own: no figure is \
    of a time in which a dump was taken.";

/// Whether everything was measured only to explain the limit.
pub fn is_alone(results: &Results) -> bool {
    results.lines.is_empty() && results.explanations.iter().any(|it| it.level.is_none())
}

/// The load that is explained, where there are several: `tuned at 500`.
pub fn place(results: &Results, explanation: &Explanation) -> Option<String> {
    let Explanation { variant, level: label, .. } = explanation;
    match label {
        Some(label) => Some(format!("{variant} at {}", label_for_people(label))),
        None => (results.explanations.len() > 1).then(|| variant.clone()),
    }
}

/// The limit in a line: `client-pool: connections to orders.internal:8443 (100)`.
pub fn in_short(explanation: &Explanation) -> String {
    match explanation.limit {
        "unknown" => explanation.limit.to_owned(),
        limit => format!("{limit}: {}", explanation.says),
    }
}

/// A label, and a text.
pub type Fact = (String, String);

/// All facts about the limit.
pub fn facts(explanation: &Explanation) -> Vec<Fact> {
    let all = [
        says(explanation),
        kind(explanation),
        evidence(explanation),
        ("not the limit".to_owned(), explanation.not_the_limit.join(" · ")),
        change(explanation),
        time_of_request(explanation),
        ("looked".to_owned(), looked(explanation)),
    ];
    told(all)
}

/// The same for a first answer: what gives way, why, what to change, and where time goes.
pub fn first_facts(explanation: &Explanation) -> Vec<Fact> {
    told([says(explanation), evidence(explanation), change(explanation), time_of_request(explanation)])
}

/// Facts only on the limit and on how it was seen.
pub fn found(explanation: &Explanation) -> Vec<Fact> {
    told([says(explanation), kind(explanation), evidence(explanation)])
}

/// The facts that say something.
fn told(facts: impl IntoIterator<Item = Fact>) -> Vec<Fact> {
    facts.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

fn says(explanation: &Explanation) -> Fact {
    ("gives way first".to_owned(), explanation.says.clone())
}

fn kind(explanation: &Explanation) -> Fact {
    ("kind".to_owned(), explanation.limit.to_owned())
}

fn evidence(explanation: &Explanation) -> Fact {
    ("evidence".to_owned(), explanation.evidence.join("; "))
}

fn change(explanation: &Explanation) -> Fact {
    ("change".to_owned(), explanation.change.clone())
}

fn time_of_request(explanation: &Explanation) -> Fact {
    (where_label(explanation), shares(explanation))
}

/// `where a request’s 0.76 s go`.
fn where_label(explanation: &Explanation) -> String {
    if explanation.response_ms <= 0.0 {
        return "where requests are".to_owned();
    }
    format!("where a request’s {} go", time(explanation.response_ms))
}

fn shares(explanation: &Explanation) -> String {
    let share = |it: &plimsoll_analysis::results::TimeShare| format!("{} {} %", it.what, in_full(it.percent, 2));
    explanation.time.iter().map(share).collect::<Vec<_>>().join(" · ")
}

/// The cost of looking at the target.
fn looked(explanation: &Explanation) -> String {
    let dumps = plimsoll_text::counted(explanation.dumps, "dump");
    let cost = explanation.dump_ms.map_or_else(String::new, |ms| format!(" of {} ms", in_full(ms, 2)));
    let counts =
        explanation.counted_ms.map_or_else(String::new, |ms| format!(", objects counted in {} ms", in_full(ms, 2)));
    let with = explanation.dumped_percent.map_or_else(String::new, |percent| {
        format!(", beside which throughput was {} % of that without", in_full(percent, 3))
    });
    let jvm = explanation.jvm.as_ref().map_or_else(String::new, |jvm| format!("; {jvm}"));
    let unseen = |why: &String| format!("; {}", unseen_threads(explanation.dumps, why));
    let blind = explanation.blind.as_ref().map_or_else(String::new, unseen);
    format!("{dumps}{cost}{counts}{with}{jvm}{blind}")
}
