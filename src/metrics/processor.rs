//! How much time processors have spent on the process.

/// Ticks a second in what Linux tells programs of time, on every architecture it gives libtorch for.
const TICKS: f64 = 100.0;

/// The fields of `/proc/self/stat` behind the name, counted from 0, that hold time in the program and time in the
/// kernel on its behalf.
const TIMES: [usize; 2] = [11, 12];

/// Seconds that cores have worked for the process since it began, all threads together; none where the system does not
/// tell in Linux's manner.
pub fn core_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name stands in brackets and may hold anything, brackets too.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    let ticks = TIMES.iter().map(|&at| fields.get(at)?.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / TICKS)
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::time::Instant;

    use super::*;

    #[test]
    fn work_takes_core_seconds() {
        let Some(before) = core_seconds() else { return };
        let start = Instant::now();
        let mut x = 1_u64;
        while start.elapsed().as_secs_f64() < 0.1 {
            x = black_box(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
        let spent = core_seconds().expect("told before") - before;
        assert!(spent > 0.0 && spent < 600.0, "{spent}");
    }
}
