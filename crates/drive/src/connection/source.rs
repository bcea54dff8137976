//! Addresses that connections come from.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket},
    str::FromStr,
};

use crate::DriveError;

/// An address of this machine, or a range of them: `192.0.2.7`, `192.0.2.0/28`, `2001:db8::/64`. The first and the last
/// of an IPv4 range are left out, as they stand for the network and for all in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    first: IpAddr,
    /// At least 1.
    count: u64,
}

impl Source {
    /// Addresses that connections to loopback are spread over when ports run short: 7 million ports.
    pub(crate) const LOOPBACK: Self = Self { first: IpAddr::V4(Ipv4Addr::new(127, 0, 0, 1)), count: 254 };

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn is_ipv4(&self) -> bool {
        self.first.is_ipv4()
    }

    /// Its `index`-th address; from the first again after the last.
    pub(crate) fn address(&self, index: u64) -> IpAddr {
        let offset = index % self.count;
        match self.first {
            IpAddr::V4(first) => Ipv4Addr::from_bits(first.to_bits() + offset as u32).into(),
            IpAddr::V6(first) => Ipv6Addr::from_bits(first.to_bits() + u128::from(offset)).into(),
        }
    }

    /// Whether the machine has the first and the last address.
    pub(crate) fn check(&self) -> Result<(), DriveError> {
        for address in [self.address(0), self.address(self.count - 1)] {
            if let Err(error) = UdpSocket::bind((address, 0)) {
                return Err(DriveError::Connection(format!(
                    "connections cannot come from {address}: {error}; expected an address of this machine (`ip addr`)"
                )));
            }
        }
        Ok(())
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || format!("expected an IP address or a range such as 192.0.2.7 or 192.0.2.0/28, found `{}`", text.trim());
        let (address, bits) = match text.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().map_err(|_| expected())?)),
            None => (text.trim(), None),
        };
        match (address.parse().map_err(|_| expected())?, bits) {
            (first, None) => Ok(Self { first, count: 1 }),
            (IpAddr::V4(address), Some(bits @ 0..=32)) => {
                let size = 1 << (32 - bits);
                let base = u64::from(address.to_bits()) & !(size - 1);
                let (first, count) = if size > 2 { (base + 1, size - 2) } else { (base, size) };
                Ok(Self { first: Ipv4Addr::from_bits(first as u32).into(), count })
            }
            (IpAddr::V6(address), Some(bits @ 0..=128)) => {
                let size = 1_u128.checked_shl(128 - bits).unwrap_or(0);
                let first = address.to_bits() & !size.wrapping_sub(1);
                let count = if size == 0 { u64::MAX } else { size.try_into().unwrap_or(u64::MAX) };
                Ok(Self { first: Ipv6Addr::from_bits(first).into(), count })
            }
            (_, Some(_)) => Err(expected()),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "{}", self.first),
            count => write!(f, "{} to {}", self.first, self.address(count - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> String {
        text.parse::<Source>().unwrap().to_string()
    }

    #[test]
    fn ranges_are_what_the_bits_say() {
        assert_eq!(range("127.0.0.9"), "127.0.0.9");
        assert_eq!(range("10.1.2.77/24"), "10.1.2.1 to 10.1.2.254");
        assert_eq!(range("10.1.2.3/31"), "10.1.2.2 to 10.1.2.3");
        assert_eq!(range("10.1.2.3/32"), "10.1.2.3");
        assert_eq!(range("0.0.0.0/0"), "0.0.0.1 to 255.255.255.254");
        assert_eq!(range("fe80::5/126"), "fe80::4 to fe80::7");
        assert_eq!(range("::/0"), ":: to ::ffff:ffff:ffff:fffe");
        let source: Source = "127.0.0.0/30".parse().unwrap();
        let turn: Vec<String> = (0..3).map(|index| source.address(index).to_string()).collect();
        assert_eq!(turn, ["127.0.0.1", "127.0.0.2", "127.0.0.1"]);
    }

    #[test]
    fn what_is_not_an_address_or_not_one_of_this_machine_is_refused() {
        for wrong in ["", "localhost", "10.0.0.1/33", "::1/129", "10.0.0.1/x", "10.0.0.1/24/8"] {
            assert!(wrong.parse::<Source>().unwrap_err().contains("expected an IP address"), "{wrong}");
        }
        assert!(Source::LOOPBACK.check().is_ok());
        let elsewhere: Source = "192.0.2.1".parse().unwrap();
        assert!(elsewhere.check().unwrap_err().to_string().contains("cannot come from 192.0.2.1"));
    }
}
