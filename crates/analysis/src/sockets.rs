//! What TCP said of one variant at one level.

use plimsoll_record::metric::{Metric, tcp};

use crate::{
    measured::LevelRound,
    results::{Figure, SocketFigures},
};

pub(crate) fn results(rounds: &[LevelRound]) -> SocketFigures {
    let figure = |of: &dyn Fn(&LevelRound) -> Option<f64>| Figure::of_some(rounds.iter().filter_map(of).collect());
    let gain = |metric: Metric| figure(&|round| round.watched.gain(metric.name));
    let peak = |metric: Metric| figure(&|round| round.watched.peak(metric.name));
    SocketFigures {
        peak_time_wait: figure(&|round| round.watched.peak_time_wait()),
        peak_accept_queue: peak(tcp::ACCEPT_QUEUE),
        accept_queue_max: peak(tcp::ACCEPT_QUEUE_MAX),
        listen_overflows: gain(tcp::LISTEN_OVERFLOWS),
        listen_drops: gain(tcp::LISTEN_DROPS),
        retransmits: gain(tcp::RETRANSMITS),
        connections_opened: gain(tcp::CONNECTIONS_OPENED),
        connections_accepted: gain(tcp::CONNECTIONS_ACCEPTED),
        connect_failures: gain(tcp::CONNECT_FAILURES),
        connections_reset: gain(tcp::CONNECTIONS_RESET),
        resets_sent: gain(tcp::RESETS_SENT),
    }
}
