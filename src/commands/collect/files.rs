//! Files of the parts while they are collected: their records, and the seconds that they tell, in case that no record
//! comes.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use plimsoll_gather::{Second, Source, Standing};
use plimsoll_record::{
    Environment, Execution, ExecutionData, ExecutionStatus, LevelData, Nanos, Part, Plan, RunData, RunStatus, Store,
};

use crate::failure::Failure;

pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Files in a new folder beside the record.
    pub fn beside(record: &Path) -> Result<Self, Failure> {
        let parent = record.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = parent.join(format!("collected-{:08x}", rand::random::<u32>()));
        DirBuilder::new().mode(0o700).create(&folder).map_err(|error| {
            Failure::input(format_args!("{}: cannot be made for the records of the parts: {error}", folder.display()))
        })?;
        Ok(Self { folder })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the record of any part is there.
    pub fn has_records(&self) -> bool {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files.map(|file| file.path()).any(|path| path.extension().is_some_and(|end| end == "db"))
    }

    fn record(&self, part: u32) -> PathBuf {
        self.folder.join(format!("{part}.db"))
    }

    fn seconds(&self, part: u32) -> PathBuf {
        self.folder.join(format!("{part}.seconds"))
    }

    pub fn add_seconds(&self, part: u32, seconds: &[Second]) -> Result<(), String> {
        let path = self.seconds(part);
        let mut lines = Vec::new();
        for second in seconds {
            serde_json::to_writer(&mut lines, second).map_err(|error| error.to_string())?;
            lines.push(b'\n');
        }
        let add = || OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?.write_all(&lines);
        add().map_err(|error| unkept(&path, &error))
    }

    /// Adds bytes to the record of a part, which begins anew at offset 0.
    pub fn add_bytes(&self, part: u32, offset: u64, bytes: &[u8]) -> Result<(), String> {
        let path = self.record(part);
        let add = || {
            let file = OpenOptions::new().create(true).write(true).truncate(offset == 0).mode(0o600).open(&path)?;
            file.write_all_at(bytes, offset)
        };
        add().map_err(|error| unkept(&path, &error))
    }

    /// All that is there of a part of the load of `plan`, which started at `started`; none if it has told nothing.
    pub fn read(&self, part: Part, standing: &Standing, plan: &Plan, started: &str) -> Option<Result<Source, String>> {
        let whole = standing.is_whole.then(|| self.read_record(part.number));
        match whole {
            Some(Ok(data)) => Some(Ok(Source { name: format!("part {part}"), data, lost_after: None })),
            // The seconds that were told of it are better than nothing.
            _ if standing.told > 0 => Some(self.read_seconds(part, standing, plan, started)),
            Some(Err(error)) => Some(Err(error)),
            None => None,
        }
    }

    fn read_record(&self, part: u32) -> Result<ExecutionData, String> {
        let store = Store::open_existing(&self.record(part)).map_err(|error| error.to_string())?;
        let last = store.last().map_err(|error| error.to_string())?;
        let id = last.ok_or("the record of a part is empty")?;
        store.read(id).map_err(|error| error.to_string())
    }

    /// The part as it would have recorded itself.
    fn read_seconds(&self, part: Part, standing: &Standing, plan: &Plan, started: &str) -> Result<Source, String> {
        let path = self.seconds(part.number);
        let unread = |error: io::Error| format!("{} cannot be read again: {error}", path.display());
        let level = |plan: &plimsoll_record::LevelPlan| LevelData {
            plan: plan.clone(),
            started: plan.start,
            took: None,
            intervals: Vec::new(),
            traced: Vec::new(),
        };
        let mut levels: Vec<LevelData> = plan.levels.iter().map(level).collect();
        for line in BufReader::new(File::open(&path).map_err(unread)?).lines() {
            let second: Second = serde_json::from_str(&line.map_err(unread)?).map_err(|error| error.to_string())?;
            let Some(level) = levels.get_mut(second.scenario) else { continue };
            for mut interval in second.intervals {
                level.traced.append(&mut interval.traced);
                level.intervals.push(interval);
            }
        }
        let environment = Environment { machine: standing.machine.clone(), ..Environment::default() };
        let execution = Execution {
            id: 0,
            started_at: started.to_owned(),
            ended_at: None,
            status: ExecutionStatus::Running,
            plan: Plan { segment: Some(part), ..plan.clone() },
            environment,
        };
        let run = RunData::of_load(RunStatus::Interrupted, levels);
        let data = ExecutionData { execution, runs: vec![run] };
        Ok(Source { name: format!("part {part}"), data, lost_after: Some(Nanos::from_secs(standing.told)) })
    }

    /// Removes the files, once everything is in the record.
    pub fn discard(&self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

fn unkept(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}
