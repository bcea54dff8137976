//! The outline of every report for people: which sections there are, in which order, and the blocks of each. A renderer
//! lays out blocks and knows no section.

use plimsoll_analysis::{
    Results,
    results::{ClaimResult, PublishedResults, Verdict},
};

use super::{
    Table, benchmarks,
    block::{Block, Figure, Item, Judged, Tone, tone_of},
    chain, claims, curve, environment, errors, explanation, findings, first, levels, limits, line,
    load::{self, LevelOfLoad},
    packagings, problems, proof, published, ratios, requests, resources, sockets, target, thresholds, upstream,
};

/// A section: its anchor, its heading, and its blocks.
pub struct Section {
    /// Unique within a page.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Makes its blocks; empty if there is nothing to show.
    pub blocks: fn(&Results) -> Vec<Block>,
}

/// Every section, in the order in which they tell the story.
pub const SECTIONS: &[Section] = &[
    Section { id: "proof", title: "Moving the limit", blocks: proof_blocks },
    Section { id: "line", title: "Load line", blocks: line_blocks },
    Section { id: "claims", title: "Claims", blocks: claims_blocks },
    Section { id: "thresholds", title: "Thresholds", blocks: thresholds_blocks },
    Section { id: "explanation", title: "First to give way", blocks: explanation_blocks },
    Section { id: "benchmarks", title: "Benchmarks", blocks: benchmarks_blocks },
    Section { id: "throughput", title: "Throughput", blocks: throughput_blocks },
    Section { id: "response-time", title: "Response time", blocks: |_| vec![Block::Figure(Figure::ResponseTime)] },
    Section { id: "load", title: "The load", blocks: load_blocks },
    Section { id: "requests", title: "Requests and checks", blocks: requests_blocks },
    Section { id: "percentiles", title: "Percentiles", blocks: |_| vec![Block::Figure(Figure::Percentiles)] },
    Section { id: "first-requests", title: "First requests", blocks: first_blocks },
    Section { id: "time-line", title: "Time line", blocks: time_line_blocks },
    Section { id: "errors", title: "Errors by kind", blocks: |it| described(errors_table(it), errors::HOW_TO_READ) },
    Section { id: "sockets", title: "Sockets", blocks: |it| described(sockets::table(it), sockets::HOW_TO_READ) },
    Section { id: "upstream", title: "Upstream", blocks: |it| described(upstream::table(it), upstream::HOW_TO_READ) },
    Section {
        id: "target",
        title: "The target’s own metrics",
        blocks: |it| described(target::table(it), target::HOW_TO_READ),
    },
    Section { id: "start-up", title: "Start-up and peaks", blocks: resources_blocks },
    Section { id: "packagings", title: "Packagings compared", blocks: packagings_blocks },
    Section { id: "ratios", title: "Compared", blocks: ratios_blocks },
    Section { id: "limits", title: "Ceilings and Little’s law", blocks: limits_blocks },
    Section { id: "published", title: "Published beside ours", blocks: published_blocks },
    Section { id: "findings", title: "Findings", blocks: findings_blocks },
    Section { id: "runs", title: "Runs", blocks: runs_blocks },
    Section { id: "environment", title: "Environment", blocks: environment_blocks },
    Section { id: "reading", title: "How to read this", blocks: |_| vec![Block::Figure(Figure::Reading)] },
];

fn explanation_blocks(results: &Results) -> Vec<Block> {
    let of_run = results.explanations.iter().enumerate().flat_map(|(index, it)| {
        let heading = explanation::place(results, it).map(Block::Heading);
        let chain = chain::line(&it.chain);
        let chain = chain.map(|text| Block::Drawn { label: "chain", text, figure: Figure::Chain(index) });
        let facts = [Block::Facts(explanation::facts(it))];
        let requests = [Figure::WhereRequestsAre(index), Figure::RequestsByLoad(index)].map(Block::Figure);
        heading.into_iter().chain(facts).chain(chain).chain(requests)
    });
    let aside = (!results.explanations.is_empty()).then_some(Block::Aside(explanation::HOW_TO_READ.into()));
    of_run.chain(aside).collect()
}

fn proof_blocks(results: &Results) -> Vec<Block> {
    results
        .proof
        .iter()
        .flat_map(|it| [Block::Table(proof::table(it)), Block::Aside(proof::HOW_TO_READ.into())])
        .collect()
}

fn line_blocks(results: &Results) -> Vec<Block> {
    if let Some((lines, searches)) = line::of_one_search(results) {
        let of_lines = lines.iter().flat_map(|it| line::facts(it, &it.searches[0]));
        let of_search = line::critical(results).into_iter().chain(line::facts_of_search(&lines[0], searches));
        // All lines come from the same trials.
        let drawn = [Block::Characters(curve::characters(&lines[0], searches, curve::ROWS).unwrap_or_default())];
        let trials = (!searches.trials.is_empty()).then(|| Block::Table(line::trials(&lines[0], searches)));
        let facts = [Block::Facts(of_lines.chain(of_search).collect())];
        return facts.into_iter().chain(drawn).chain([Block::Figure(Figure::LineCurve)]).chain(trials).collect();
    }
    let Some(table) = line::table(results) else { return Vec::new() };
    let each = line::searches(results).into_iter().map(Block::Table).collect();
    let curve = Block::Figure(Figure::LineCurve);
    let searches = [Block::Folded("Every search", each), Block::Aside(line::HOW_TO_READ.into()), curve];
    let critical = (!results.critical.is_empty()).then(|| Block::Facts(line::critical(results)));
    let intervals = Block::Figure(Figure::LineIntervals);
    [intervals, Block::Table(table)].into_iter().chain(critical).chain(searches).collect()
}

fn claims_blocks(results: &Results) -> Vec<Block> {
    let Some(tally) = claims::tally(&results.claims) else { return Vec::new() };
    vec![Block::Text(format!("{tally}.")), Block::Claims(results.claims.iter().map(judged).collect())]
}

fn judged(claim: &ClaimResult) -> Judged {
    let reason = (claim.verdict != Verdict::Holds && !claim.reason.is_empty()).then(|| claim.reason.clone());
    Judged {
        verdict: claim.verdict,
        says: claim.says.clone(),
        figure: claims::figure(claim),
        expression: claim.expression.clone(),
        details: reason.into_iter().chain(findings::explanation(claim)).collect(),
    }
}

fn thresholds_blocks(results: &Results) -> Vec<Block> {
    let tally = thresholds::tally(&results.thresholds).map(|tally| Block::Text(format!("{tally}.")));
    tally.into_iter().chain(thresholds::table(&results.thresholds).map(Block::Table)).collect()
}

fn benchmarks_blocks(results: &Results) -> Vec<Block> {
    tables(benchmarks::tables(results), benchmarks::HOW_TO_READ)
}

fn throughput_blocks(results: &Results) -> Vec<Block> {
    const HOW_TO_READ: &str = "Median over rounds [95 % interval over rounds; of errors, and with \
        fewer than three rounds, least – greatest]; times are response times, median over rounds.";
    if results.levels.is_empty() || !load::levels_of(results).is_empty() {
        return vec![Block::Figure(Figure::Throughput)];
    }
    let bars = |index| Block::Figure(Figure::LevelBars(index));
    let why_missing = |index| levels::why_missing(results, index).map(|why| Block::Aside(why.into()));
    let of_level = |(index, table)| [Block::Table(table)].into_iter().chain(why_missing(index)).chain([bars(index)]);
    let mut figures: Vec<Block> = match levels::of_only_variant(results) {
        Some(table) => {
            let missing = (0..results.levels.len()).find_map(why_missing);
            [Block::Table(table)].into_iter().chain(missing).collect()
        }
        None => levels::tables(results).into_iter().enumerate().flat_map(of_level).collect(),
    };
    figures.push(Block::Aside(HOW_TO_READ.into()));
    vec![Block::Figure(Figure::Throughput), Block::Folded("All figures as tables", figures)]
}

/// Steps of a histogram.
const BARS: usize = 12;

fn load_blocks(results: &Results) -> Vec<Block> {
    // Trials of a search are in its table, and the loads of an explanation among its evidence.
    if !results.lines.is_empty() || explanation::is_alone(results) {
        return Vec::new();
    }
    let levels = load::levels_of(results);
    let is_alone = results.levels.len() == 1;
    let of_level = |LevelOfLoad { heading, offered, level }: &LevelOfLoad<'_>| {
        let facts = load::facts(offered, level).into_iter().map(|(label, text)| (label.to_owned(), text));
        let mut blocks = vec![Block::Heading(heading.clone()), Block::Facts(facts.collect())];
        if level.totals.counts.succeeded > 0 {
            let why_missing = load::why_missing(level).map(|why| Block::Aside(why.into()));
            blocks.push(Block::Table(load::times(level)));
            blocks.extend(why_missing.into_iter().chain([Block::Aside(load::RESPONSE_OR_SERVICE.into())]));
            blocks.extend(is_alone.then(|| Block::Histogram(load::histogram(&level.response_curve, BARS))));
        }
        blocks.extend(load::tables(level).into_iter().map(Block::Table));
        blocks
    };
    levels.iter().flat_map(of_level).collect()
}

fn requests_blocks(results: &Results) -> Vec<Block> {
    let mut blocks = tables(requests::tables(results), requests::HOW_TO_READ);
    if !blocks.is_empty() {
        blocks.extend(requests::why_missing(results).map(|why| Block::Aside(why.into())));
    }
    blocks
}

fn first_blocks(results: &Results) -> Vec<Block> {
    let found = first::tables(results);
    if found.is_empty() {
        return Vec::new();
    }
    let mut folded: Vec<Block> = found.into_iter().map(Block::Table).collect();
    folded.extend((0..results.levels.len()).map(|index| Block::Figure(Figure::FirstBars(index))));
    let mut blocks = vec![
        Block::Figure(Figure::FirstRequests),
        Block::Folded("As a table", folded),
        Block::Aside(first::HOW_TO_READ.into()),
    ];
    blocks.extend(tables(first::inside(results), first::HOW_TO_READ_INSIDE));
    blocks
}

fn time_line_blocks(_: &Results) -> Vec<Block> {
    vec![Block::Figure(Figure::TimeLine), Block::Figure(Figure::TimeWait)]
}

/// The table of errors; none for a load on its own, which has it among its tables.
fn errors_table(results: &Results) -> Option<Table> {
    errors::table(results).filter(|_| load::levels_of(results).is_empty())
}

fn resources_blocks(results: &Results) -> Vec<Block> {
    let Some(table) = resources::table(results) else { return Vec::new() };
    let folded = Block::Folded("As a table", vec![Block::Table(untitled(table))]);
    vec![Block::Figure(Figure::Resources), folded]
}

fn packagings_blocks(results: &Results) -> Vec<Block> {
    let Some(table) = packagings::table(results) else { return Vec::new() };
    let folded = vec![Block::Table(table)];
    vec![
        Block::Figure(Figure::Packagings),
        Block::Figure(Figure::PackagingBars),
        Block::Folded("As a table", folded),
        Block::Aside(packagings::HOW_TO_READ.into()),
    ]
}

fn ratios_blocks(results: &Results) -> Vec<Block> {
    tables(ratios::tables(results), ratios::HOW_TO_READ)
}

fn limits_blocks(results: &Results) -> Vec<Block> {
    const LAW: &str = "Requests in flight = throughput × time in the system: a figure that breaks this law is wrong. \
         Where settings fix the number of workers or connections and the time that each request needs them, they also \
         fix a ceiling.";
    let facts = limits::of(results).into_iter().map(|level| {
        let sentences = std::iter::once(level.law).chain(level.ceilings);
        (level.level, sentences.collect::<Vec<_>>().join(" "))
    });
    let facts: Vec<_> = facts.collect();
    if facts.is_empty() { Vec::new() } else { vec![Block::Facts(facts), Block::Aside(LAW.into())] }
}

fn published_blocks(results: &Results) -> Vec<Block> {
    let Some(published) = &results.published else { return Vec::new() };
    let mut blocks = vec![Block::Text(published.source.clone())];
    blocks.extend(published::tables(published).into_iter().map(Block::Table));
    blocks.extend(audit_blocks(published));
    blocks
}

/// Findings of the audit: each kind with every row that shows it.
pub fn audit_blocks(published: &PublishedResults) -> Vec<Block> {
    let mut blocks: Vec<Block> = published::how_to_read(published).map(Block::Text).into_iter().collect();
    let items = published::explanations(published).into_iter().map(|explanation| {
        let rows = explanation.rows.iter().map(|(row, text)| format!("{row}: {text}")).collect::<Vec<_>>().join(" ");
        Item {
            tone: tone_of(explanation.finding.weight),
            word: explanation.heading(),
            text: format!("{rows} {}", explanation.finding.remedy).trim_end().to_owned(),
        }
    });
    let items: Vec<Item> = items.collect();
    blocks.extend((!items.is_empty()).then_some(Block::Items(items)));
    blocks
}

fn findings_blocks(results: &Results) -> Vec<Block> {
    let item = |group: findings::Group<'_>| {
        let weight = group.first.weight;
        Item { tone: tone_of(weight), word: findings::word(weight).to_owned(), text: group.text() }
    };
    items(findings::groups(results).into_iter().map(item).collect())
}

fn runs_blocks(results: &Results) -> Vec<Block> {
    let problem = |(variant, problem): (&str, &str)| Item {
        tone: Tone::Doubt,
        word: variant.to_owned(),
        text: problem.to_owned(),
    };
    let mut blocks = Vec::new();
    for (variant, why) in problems::variants(results) {
        let last = results.runs.iter().rfind(|run| run.variant == variant && !run.output_tail.is_empty());
        blocks.push(Block::Items(vec![problem((variant, why))]));
        blocks.extend(last.map(|run| Block::Output(run.output_tail.clone())));
    }
    blocks.push(Block::Figure(Figure::Runs));
    blocks
}

fn environment_blocks(results: &Results) -> Vec<Block> {
    let lines = environment::lines(results).into_iter().map(|(label, text)| (label.to_owned(), text));
    vec![Block::Facts(lines.collect())]
}

fn items(items: Vec<Item>) -> Vec<Block> {
    if items.is_empty() { Vec::new() } else { vec![Block::Items(items)] }
}

/// A table under the section's heading, with what its columns mean.
fn described(table: Option<Table>, how_to_read: &'static str) -> Vec<Block> {
    table.map_or_else(Vec::new, |table| vec![Block::Table(untitled(table)), Block::Aside(how_to_read.into())])
}

fn tables(tables: Vec<Table>, how_to_read: &'static str) -> Vec<Block> {
    let aside = (!tables.is_empty()).then_some(Block::Aside(how_to_read.into()));
    tables.into_iter().map(Block::Table).chain(aside).collect()
}

/// The table without its title, which the section's heading repeats.
fn untitled(table: Table) -> Table {
    Table { title: String::new(), ..table }
}
