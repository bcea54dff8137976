//! The audience of a running load: the person at the terminal, and monitoring systems.

use plimsoll_drive::Job;
use plimsoll_record::Interval;

use crate::{
    cli::LoadArgs,
    failure::Failure,
    live::{Voice, Watch},
    telemetry::Telemetry,
};

/// Dropping it ends what is told.
pub struct Audience {
    // Ends first: its last words are said while there is somebody to say them.
    telemetry: Option<Telemetry>,
    voice: Voice,
    watch: Watch,
}

impl Audience {
    /// Fails if an address cannot be listened on.
    pub fn gather(arguments: &LoadArgs, job: &Job) -> Result<Self, Failure> {
        let watch = Watch::new(job, arguments.output.quiet);
        let voice = watch.voice();
        Ok(Self { telemetry: Telemetry::start(&arguments.telling, job, &voice)?, voice, watch })
    }

    /// The load begins.
    pub fn begin(&mut self) {
        self.watch.begin();
    }

    /// Takes in what was measured in a second of a scenario.
    pub fn tell(&self, scenario: usize, interval: &Interval) {
        self.watch.add(scenario, interval);
        if let Some(telemetry) = &self.telemetry {
            telemetry.add(scenario, interval);
        }
    }

    /// A voice for lines of other threads.
    pub fn voice(&self) -> Voice {
        self.voice.clone()
    }

    /// A line that stays.
    pub fn say(&self, text: &str) {
        self.voice.say(text);
    }
}
