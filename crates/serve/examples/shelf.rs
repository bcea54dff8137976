//! Writes a record of many made-up executions, some with hostile names, to look at pages without measuring anything:
//! `cargo run -p plimsoll-serve --example shelf -- FILE COUNT`. The last one is under way, as if its process had been
//! killed.

use std::path::Path;

use plimsoll_analysis::testing::{Request, burst, environment, execution, greetings, level, plan, run, variant};
use plimsoll_record::{ExecutionData, ExecutionStatus, Nanos, Sample, Store, metric};

/// Names that a page must neither obey nor break at.
const HOSTILE: [&str; 7] = [
    "<script>document.title='obeyed'</script>",
    "\"><img src=x onerror=document.title='obeyed'>",
    "'; DROP TABLE executions; --",
    "\u{202e}backwards\u{1b}[31m red \u{7} bell\u{0} null",
    "שלום עולם – مرحبا بالعالم",
    "{{constructor.constructor('document.title=1')()}} ${7*7} &lt;b&gt; %3Cb%3E",
    "javascript:document.title='obeyed'",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, count] = arguments.as_slice() else { return Err("expected two arguments: FILE COUNT".into()) };
    let mut store = Store::open(Path::new(path))?;
    let count: usize = count.parse()?;
    let experiment = greetings();
    for index in 0..count {
        let data = if index % 100 == 50 { experiment.clone() } else { load(index) };
        write(&mut store, data, index, index + 1 == count)?;
    }
    Ok(())
}

/// A load of a few requests, whose figures depend on its number.
fn load(index: usize) -> ExecutionData {
    let ms = |ms: usize| Nanos::from_millis(ms as u64);
    let requests: Vec<Request> =
        (0..20).map(|at| Request::ok(ms(at * 40), ms(at * 40 + 5 + (index + at) % 40))).collect();
    let burst = burst(20);
    let name = match index % 10 {
        3 => HOSTILE[(index / 10) % HOSTILE.len()].to_owned(),
        7 => format!("{}{}", HOSTILE[(index / 10) % HOSTILE.len()], "long ".repeat(60)),
        _ => format!("http://127.0.0.1:8080/path/{index}"),
    };
    let mut plan = plan(vec![variant(&name)], vec![burst.clone()], 1);
    (plan.name, plan.title) = ("load".to_owned(), format!("GET {name}"));
    // Both verdicts, and none.
    plan.thresholds = match index % 3 {
        0 => vec!["p(99)<100ms".to_owned()],
        1 => vec!["p(99)<10ms".to_owned()],
        _ => Vec::new(),
    };
    // Nothing was launched.
    let mut run = run(0, 0, Nanos::ZERO, vec![level(&burst, ms(0), &requests)]);
    run.run.startup = None;
    let mut data = execution(plan, vec![run]);
    data.execution.environment = environment();
    data.execution.environment.command = format!("plimsoll load '{name}'");
    data
}

fn write(
    store: &mut Store,
    data: ExecutionData,
    index: usize,
    is_last: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let (minute, hour, day) = (index % 60, index / 60 % 24, 1 + index / 1_440 % 28);
    let moment = |second| format!("2026-01-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    let execution = store.begin_execution(&data.execution.plan, &data.execution.environment, &moment(0))?;
    for of in data.runs {
        let mut run = store.begin_run(execution, of.run.variant, of.run.round, of.run.position)?;
        for of_level in &of.levels {
            let planned = data.execution.plan.levels.iter().position(|level| level.label == of_level.plan.label);
            let level = store.begin_level(run.id, planned.unwrap_or_default(), of_level.started)?;
            store.add_intervals(level, &of_level.intervals)?;
            if let Some(took) = of_level.took {
                store.end_level(level, took)?;
            }
        }
        store.add_samples(run.id, &of.samples)?;
        if is_last {
            let cpu = |second: u64| Sample {
                at: Nanos::from_secs(second),
                metric: metric::CPU_PERCENT.name.to_owned(),
                value: 80.0 + second as f64,
            };
            store.add_samples(run.id, &(0..3).map(cpu).collect::<Vec<_>>())?;
        }
        (run.status, run.startup) = (of.run.status, of.run.startup);
        store.update_run(&run)?;
    }
    if !is_last {
        store.end_execution(execution, ExecutionStatus::Done, &moment(42))?;
    }
    Ok(())
}
