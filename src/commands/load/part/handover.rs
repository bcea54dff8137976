//! A part after its load: the collector gets its record.

use std::{fs::File, io, os::unix::fs::FileExt, thread};

use plimsoll_gather::{Bytes, Ended, Message, Outcome, Uploading};
use plimsoll_record::{ExecutionStatus, Part};
use plimsoll_text::number::bytes;

use super::kept::{Extract, Kept};
use crate::{
    cli::LoadArgs,
    failure::Failure,
    gathering::{Elapsed, Link, digest},
    live::Live,
};

/// A record that is ready to be handed over.
pub struct Handover {
    extract: Extract,
    file: File,
    ended: Ended,
}

impl Handover {
    /// Takes an execution out of its record, which may take seconds.
    pub fn prepare(kept: &Kept, execution: i64, status: ExecutionStatus) -> Result<Self, Failure> {
        let extract = kept.extract(execution).map_err(|error| {
            let path = kept.path().display();
            Failure::not_collected(format_args!("the record {path} cannot be handed over, and is kept: {error}"))
        })?;
        let opened = File::open(&extract.0).and_then(|file| digest(&file).map(|digest| (file, digest)));
        let (file, (bytes, sha256)) = opened.map_err(|error| unread(kept, &extract, &error))?;
        Ok(Self { extract, file, ended: Ended { status, bytes, sha256 } })
    }

    /// Hands the record over. Returns whether the collector has it; if not, it says where the record is.
    pub fn give(
        &self,
        kept: &Kept,
        mut link: Link,
        clock: Elapsed,
        arguments: &LoadArgs,
        part: Part,
    ) -> Result<bool, Failure> {
        let mut live = Live::new(arguments.output.quiet);
        let uploading = Uploading::new(self.ended.clone(), arguments.scale.deadline, clock.now());
        let refused = self.upload(&mut link, clock, uploading, &mut live);
        match refused.map_err(|error| unread(kept, &self.extract, &error))? {
            None => {
                if !arguments.output.quiet {
                    live.say(&format!("part {part}: its record of {} is collected", bytes(self.ended.bytes)));
                }
                kept.discard();
                Ok(true)
            }
            Some(why) => {
                let path = kept.path().display();
                live.say(&format!(
                    "warning: part {part}: its record could not be handed over: {why}\nit is kept in {path}: `plimsoll \
                     merge --allow-missing` joins it with those of the other parts"
                ));
                Ok(false)
            }
        }
    }

    /// Sends the record. None once the collector has it; else why it does not.
    fn upload(
        &self,
        link: &mut Link,
        clock: Elapsed,
        mut uploading: Uploading,
        live: &mut Live,
    ) -> io::Result<Option<String>> {
        loop {
            let now = clock.now();
            let message = match uploading.turn(now) {
                Outcome::Done => return Ok(None),
                Outcome::Kept(why) => return Ok(Some(why)),
                Outcome::Pause(until) => {
                    thread::sleep((until - now).into());
                    continue;
                }
                Outcome::Tell(ended) => Message::End(ended),
                Outcome::Piece { offset, length } => {
                    live.progress(&format!("hands over its record: {} of {}", bytes(offset), bytes(self.ended.bytes)));
                    let mut piece = vec![0; length];
                    self.file.read_exact_at(&mut piece, offset)?;
                    Message::Chunk { offset, data: Bytes(piece) }
                }
            };
            match link.ask(&message) {
                Ok(answered) => uploading.answered(answered.at, answered.reply.answer),
                Err(why) => uploading.failed(clock.now(), why),
            }
        }
    }
}

fn unread(kept: &Kept, extract: &Extract, error: &io::Error) -> Failure {
    let (copy, path) = (extract.0.display(), kept.path().display());
    Failure::not_collected(format_args!("{copy} cannot be read again: {error}; the record is kept in {path}"))
}
