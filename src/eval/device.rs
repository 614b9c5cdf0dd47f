//! Where a network computes.

use std::fmt;
use std::str::FromStr;

use crate::text::shown;

/// Where a network computes: on the CPU, where every worker has a copy of its own, or on a graphics card, where one is
/// there for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Device {
    #[default]
    Cpu,
    /// A card by its number, counted from 0.
    Cuda(usize),
}

/// A text was not the name of a device.
#[derive(Debug, thiserror::Error)]
#[error("no device '{}': expected cpu, cuda, or cuda: and a card's number, counted from 0", shown(.0))]
pub struct UnknownDevice(String);

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Self, UnknownDevice> {
        let unknown = || UnknownDevice(text.into());
        match text {
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            _ => {
                let number = text.strip_prefix("cuda:").ok_or_else(unknown)?;
                // libtorch counts devices in signed bytes.
                let number = number.parse().ok().filter(|&number| number <= i8::MAX as usize);
                Ok(Self::Cuda(number.ok_or_else(unknown)?))
            }
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_go_by_their_names() {
        for (text, device) in [("cpu", Device::Cpu), ("cuda:0", Device::Cuda(0)), ("cuda:7", Device::Cuda(7))]
        {
            assert_eq!(text.parse::<Device>().expect("a device"), device);
            assert_eq!(device.to_string(), text);
        }
        assert_eq!("cuda".parse::<Device>().expect("a device"), Device::Cuda(0));
        for wrong in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:128", "CUDA", "cpu:0"] {
            let error = wrong.parse::<Device>().expect_err("refused").to_string();
            assert!(error.contains(wrong) && error.contains("expected"), "{error}");
        }
    }
}
