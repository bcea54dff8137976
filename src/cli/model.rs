//! How requests are offered over time: the flags, and the load that they say.

use clap::Args;
use plimsoll_record::{Arrivals, Load, Nanos, Stage, ThinkTime};

use super::values::{duration, number, rate, small_number, stage};

const DEFAULT_REQUESTS: u64 = 200;
const DEFAULT_CONNECTIONS: u32 = 50;

/// Flags and the models that they make, for the help.
pub const MODELS: &str = "\
Load models (k6's names):
  -n N -c C                  shared-iterations      N requests, C at once
  -z TIME -c C               constant-vus           C virtual users in a loop
  --per-vu N -c C            per-vu-iterations      N requests each; --ramp-up spreads the starts
  --stage TIME:C …           ramping-vus            from 0 through each stage
  -q RATE -z TIME            constant-arrival-rate  RATE requests a second, whatever the responses do
  --stage TIME:RATE … --ramp-rate                   ramping-arrival-rate
";

/// How requests are offered over time.
#[derive(Args)]
pub struct ModelArgs {
    /// Requests in all, shared by the virtual users [default: 200, unless -z is given]
    #[arg(short = 'n', long, value_name = "N", value_parser = number)]
    pub requests: Option<u64>,
    /// Virtual users: requests in flight at once [default: 50]; with -q the same as --max-in-flight
    #[arg(short = 'c', long, value_name = "N", value_parser = small_number)]
    #[arg(conflicts_with = "stage")]
    pub connections: Option<u32>,
    /// How long requests are offered, e.g. 30s or 5m
    #[arg(short = 'z', long, value_name = "TIME", value_parser = duration)]
    pub duration: Option<Nanos>,
    /// Requests per second, whatever the responses do (an open model); needs -z
    #[arg(short = 'q', visible_short_alias = 'R', long, value_name = "N", value_parser = rate)]
    #[arg(requires = "duration", conflicts_with = "requests")]
    pub rate: Option<f64>,
    /// With -q or --ramp-rate: arrivals of a Poisson process instead of evenly spaced ones
    #[arg(long)]
    pub poisson: bool,
    /// With -q or --ramp-rate: requests in flight at most; what it holds back is sent late and counted from when it
    /// was due [default: 10000]
    #[arg(long, value_name = "N", value_parser = small_number, conflicts_with = "connections")]
    pub max_in_flight: Option<u32>,
    /// With -q or --ramp-rate: drop (and count) what --max-in-flight holds back
    #[arg(long)]
    pub drop_late: bool,
    /// Requests of each virtual user, instead of -n in all
    #[arg(long, value_name = "N", value_parser = number)]
    #[arg(conflicts_with_all = ["requests", "rate"])]
    pub per_vu: Option<u64>,
    /// With --per-vu: spread the starts of the virtual users over this time
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "per_vu")]
    pub ramp_up: Option<Nanos>,
    /// One leg of a ramp, e.g. 30s:100; may be given again. Targets are virtual users, or requests per second with
    /// --ramp-rate
    #[arg(long, value_name = "TIME:TARGET", value_parser = stage)]
    #[arg(conflicts_with_all = ["requests", "duration", "rate", "per_vu"])]
    pub stage: Vec<Stage>,
    /// With --stage: targets are requests per second
    #[arg(long, requires = "stage")]
    pub ramp_rate: bool,
    /// Pause of a virtual user between a response and its next request
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["rate", "ramp_rate"])]
    pub think_time: Option<Nanos>,
}

impl ModelArgs {
    /// Whether any flag says how requests are offered.
    pub fn is_given(&self) -> bool {
        let Self { requests, connections, duration, rate, max_in_flight, per_vu, stage, think_time, .. } = self;
        requests.is_some()
            || connections.is_some()
            || duration.is_some()
            || rate.is_some()
            || max_in_flight.is_some()
            || per_vu.is_some()
            || !stage.is_empty()
            || think_time.is_some()
            || self.poisson
            || self.drop_late
    }

    /// The load that the flags say, or why they say none.
    pub fn load(&self) -> Result<Load, String> {
        let is_open = self.rate.is_some() || self.ramp_rate;
        if !is_open && (self.poisson || self.drop_late || self.max_in_flight.is_some()) {
            return Err("--poisson, --drop-late and --max-in-flight are for rates: give a rate with -q, or ramp with \
                 --ramp-rate"
                .to_owned());
        }
        if !self.stage.is_empty() {
            return self.ramp();
        }
        match (self.rate, self.per_vu, self.requests, self.duration) {
            (Some(rate), _, _, Some(duration)) => Ok(self.constant_rate(rate, duration)),
            (_, Some(iterations), ..) => Ok(Load::PerVuIterations {
                vus: self.vus(),
                iterations,
                ramp_up: self.ramp_up.unwrap_or_default(),
                max_duration: self.duration,
                think: self.think(),
            }),
            (_, None, None, Some(duration)) => Ok(Load::ConstantVus { vus: self.vus(), duration, think: self.think() }),
            (_, None, requests, _) => self.shared_iterations(requests.unwrap_or(DEFAULT_REQUESTS)),
        }
    }

    fn constant_rate(&self, rate: f64, duration: Nanos) -> Load {
        Load::ConstantArrivalRate {
            rate,
            duration,
            arrivals: self.arrivals(),
            max_in_flight: self.most_in_flight(),
            drop_late: self.drop_late,
        }
    }

    fn ramp(&self) -> Result<Load, String> {
        let stages = self.stage.clone();
        if self.ramp_rate {
            let (arrivals, max_in_flight, drop_late) = (self.arrivals(), self.most_in_flight(), self.drop_late);
            return Ok(Load::RampingArrivalRate { start_rate: 0.0, stages, arrivals, max_in_flight, drop_late });
        }
        match stages.iter().find(|stage| stage.target.fract() != 0.0) {
            Some(Stage { target, .. }) => Err(format!(
                "--stage …:{target}: expected a whole number of virtual users; for requests per second add --ramp-rate"
            )),
            None => Ok(Load::RampingVus { start_vus: 0, stages, think: self.think() }),
        }
    }

    fn shared_iterations(&self, iterations: u64) -> Result<Load, String> {
        // A default must not make an error of what the user left open.
        let fewer = self.vus().min(u32::try_from(iterations).unwrap_or(u32::MAX));
        let vus = self.connections.unwrap_or(fewer);
        if iterations < u64::from(vus) {
            return Err(format!(
                "-n {iterations} -c {vus}: expected at least as many requests as virtual users, since each needs one; \
                 use -c {iterations} or -n {vus}"
            ));
        }
        Ok(Load::SharedIterations { vus, iterations, max_duration: self.duration, think: self.think() })
    }

    fn vus(&self) -> u32 {
        self.connections.unwrap_or(DEFAULT_CONNECTIONS)
    }

    fn think(&self) -> ThinkTime {
        self.think_time.map_or(ThinkTime::None, |pause| ThinkTime::Constant { pause })
    }

    fn arrivals(&self) -> Arrivals {
        if self.poisson { Arrivals::Poisson } else { Arrivals::Even }
    }

    fn most_in_flight(&self) -> u32 {
        self.max_in_flight.or(self.connections).unwrap_or(Load::DEFAULT_MAX_IN_FLIGHT)
    }
}
