//! Parts that want to take part: who may, and which number they get.

use plimsoll_record::Nanos;

use super::{Agreed, Answered, Collector, Effect, LEAD, Rules, place::Place, refuse};
use crate::{Answer, Join, PROTOCOL, difference};

impl Collector {
    pub(super) fn join(&mut self, now: Nanos, session: String, join: Join) -> Answered {
        if let Some(&number) = self.by_session.get(&session) {
            // It joins again, since the answer was lost.
            if let Some(place) = self.places.get_mut(&number) {
                place.hear(now);
            }
            return (self.joined(number), Vec::new());
        }
        let number = match self.place_for(&join) {
            Ok(number) => number,
            Err(reason) => return refuse(reason),
        };
        let host = join.host.clone();
        let seed = join.seed.unwrap_or(self.rules.seed);
        self.agreed.get_or_insert(Agreed { plan: join.plan, digest: join.digest, seed, first: number });
        self.by_session.insert(session, number);
        self.places.insert(number, Place::new(join.machine, host.clone(), now));
        let mut effects = vec![Effect::Joined(number, host)];
        if self.places.len() == self.rules.parts as usize {
            let at = now + LEAD + Nanos(self.ask_again().0 * 2);
            self.start = Some(at);
            effects.push(Effect::Starts(at));
        }
        (self.joined(number), effects)
    }

    fn joined(&self, part: u32) -> Answer {
        let seed = self.agreed.as_ref().map_or(self.rules.seed, |agreed| agreed.seed);
        Answer::Joined { part, parts: self.rules.parts, seed }
    }

    /// The number for a part; or why there is none, and what to do.
    fn place_for(&self, join: &Join) -> Result<u32, String> {
        let parts = self.rules.parts;
        is_of_version(&join.version, join.protocol, &self.rules)?;
        if let Some(reason) = &self.abort {
            return Err(reason.clone());
        }
        if self.start.is_some() {
            return Err(format!("all {parts} parts have joined and the load has begun: this one comes too late"));
        }
        self.agreed.as_ref().map_or(Ok(()), |agreed| agreed.is_offered_by(join))?;
        free_place(join.part, parts, |number| Some(self.places.get(&number)?.standing().host))
    }
}

/// Whether a part has the version of the other side, which is that of `rules`.
pub fn is_of_version(version: &str, protocol: u32, rules: &Rules) -> Result<(), String> {
    let own = &rules.version;
    match version == own && protocol == PROTOCOL {
        true => Ok(()),
        false => Err(format!(
            "the part has version {version} of Plimsoll and the collector has {own}: start both with the same"
        )),
    }
}

/// The number for a part that wants the number `wanted`, or any; `taken` has the hosts of the parts that are there.
pub fn free_place(
    wanted: Option<u32>,
    parts: u32,
    taken: impl Fn(u32) -> Option<Option<String>>,
) -> Result<u32, String> {
    match wanted {
        Some(number) if number == 0 || number > parts => {
            Err(format!("there are {parts} parts: expected --part 1 to {parts}, found {number}"))
        }
        Some(number) => match taken(number) {
            Some(of) => {
                let host = of.map(|of| format!(" on {of}")).unwrap_or_default();
                Err(format!("part {number}/{parts} has joined already{host}: each number may join once"))
            }
            None => Ok(number),
        },
        None => {
            (1..=parts).find(|&number| taken(number).is_none()).ok_or_else(|| format!("all {parts} parts have joined"))
        }
    }
}

impl Agreed {
    /// Whether a part offers the same load; else where it differs.
    fn is_offered_by(&self, join: &Join) -> Result<(), String> {
        let first = self.first;
        // Seeds are agreed upon: see below.
        let other = plimsoll_record::Plan { seed: self.plan.seed, ..join.plan.clone() };
        if let Some((path, here, there)) = difference::first(&self.plan, &other) {
            return Err(format!(
                "another load than that of part {first}: `{path}` is {there} in this one and {here} in that one; expected \
                 all parts to have the same flags"
            ));
        }
        if self.digest != join.digest {
            return Err(format!(
                "another load than that of part {first}: methods, headers, bodies, checks or time-outs differ; expected \
                 all parts to have the same flags and files"
            ));
        }
        match join.seed {
            Some(seed) if seed != self.seed => Err(format!(
                "--seed {seed} is not that of part {first}, {}: give it to all parts or to none",
                self.seed
            )),
            _ => Ok(()),
        }
    }
}
