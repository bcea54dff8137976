//! `plimsoll baseline`: names for executions that others are compared with.

use std::process::ExitCode;

use plimsoll_record::Store;
use plimsoll_text::{
    columns::{self, padded},
    printable_line,
};

use super::{print, which};
use crate::{
    cli::{BaselineArgs, BaselineCommand},
    failure::Failure,
    live::shown,
    project,
};

pub fn execute(arguments: &BaselineArgs) -> Result<ExitCode, Failure> {
    let record = &arguments.record;
    match &arguments.command {
        BaselineCommand::Set { name, execution } => {
            let id = record.resolve(execution)?;
            Store::open_existing(record.path())?.set_baseline(name, id, &project::now())?;
            tell!("{}", shown(&format!("baseline {name} is #{id}")));
        }
        BaselineCommand::List { json } => list(&Store::open_existing(record.path())?, *json)?,
        BaselineCommand::Remove { name } => {
            let mut store = Store::open_existing(record.path())?;
            // An unknown name is an error that lists the known ones.
            which::baseline(&store, name)?;
            store.remove_baseline(name)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let all = store.baselines()?;
    if json {
        let text = serde_json::to_string_pretty(&all).map_err(Failure::running)?;
        return print(&(text + "\n"));
    }
    let width = columns::widest(all.iter().map(|it| it.name.as_str())).max(4);
    let mut text = format!("{:<width$}  {:>9}  set (UTC)\n", "name", "execution");
    for it in &all {
        let set: String = it.set_at.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
        text.push_str(&printable_line(&format!(
            "{}  {:>9}  {set}",
            padded(&it.name, width),
            format!("#{}", it.execution)
        )));
        text.push('\n');
    }
    print(&text)
}
