//! Devices as libtorch has them.

use tch::{Cuda, Kind, Tensor};

use super::NetError;
use crate::eval::Device;

/// What libtorch calls a device.
pub fn place_of(device: Device) -> tch::Device {
    match device {
        Device::Cpu => tch::Device::Cpu,
        Device::Cuda(number) => tch::Device::Cuda(number),
    }
}

/// Makes sure that a device is there and computes.
///
/// # Errors
///
/// If libtorch was built for CPUs alone, or finds no such device, or the device refuses.
pub fn check_device(device: Device) -> Result<(), NetError> {
    let Device::Cuda(number) = device else { return Ok(()) };
    if !tch::utils::has_cudart() {
        return Err(NetError::CpuOnly { device });
    }
    let found = usize::try_from(Cuda::device_count()).unwrap_or(0);
    if number >= found {
        return Err(NetError::NoDevice { device, found });
    }
    let computed = Tensor::f_ones([1], (Kind::Float, place_of(device)))
        .and_then(|one| one.f_to_device(tch::Device::Cpu));
    computed.map(drop).map_err(NetError::torch("computing on the device"))
}
