//! Event files as TensorBoard reads them: records of TensorFlow's kind, each an `Event` in the wire format of
//! protocol buffers.
//!
//! A record is its length, a checksum of the length, the bytes, and a checksum of the bytes (TensorFlow,
//! `lib/io/record_writer.h`). Of an `Event` (`util/event.proto`) there are written the time, the step, and
//! either the version of the file or one scalar of a summary.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// What the first event of a file says.
const VERSION: &str = "brain.Event:2";

/// The wire types of fields.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;
const FIXED32: u64 = 5;

/// A file of events that grows by whole records.
pub struct EventFile(File);

impl EventFile {
    /// A new file in `folder`, with a name of its own, that begins at `time`, in seconds since 1970.
    pub fn create(folder: &Path, time: f64) -> io::Result<Self> {
        let name = |number: u32| {
            let process = std::process::id();
            folder.join(format!("events.out.tfevents.{:010}.facedown.{process}.{number}", time as u64))
        };
        for number in 0.. {
            match OpenOptions::new().append(true).create_new(true).open(name(number)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                opened => {
                    let mut file = Self(opened?);
                    let mut event = Message::default();
                    event.fixed64(1, time.to_bits());
                    event.bytes(3, VERSION.as_bytes());
                    file.record(&event.0)?;
                    return Ok(file);
                }
            }
        }
        unreachable!("some number is free")
    }

    /// Adds one scalar.
    pub fn scalar(&mut self, time: f64, step: u64, tag: &str, value: f32) -> io::Result<()> {
        let mut scalar = Message::default();
        scalar.bytes(1, tag.as_bytes());
        scalar.fixed32(2, value.to_bits());
        let mut summary = Message::default();
        summary.bytes(1, &scalar.0);
        let mut event = Message::default();
        event.fixed64(1, time.to_bits());
        event.varint(2, step);
        event.bytes(5, &summary.0);
        self.record(&event.0)
    }

    fn record(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = (bytes.len() as u64).to_le_bytes();
        let mut record = Vec::with_capacity(bytes.len() + 16);
        record.extend(length);
        record.extend(masked(&length).to_le_bytes());
        record.extend(bytes);
        record.extend(masked(bytes).to_le_bytes());
        self.0.write_all(&record)
    }
}

/// The checksum of a record's part: CRC-32C, turned and moved so that sums of sums do not agree by chance.
fn masked(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// A message of protocol buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, field: u64, value: u64) {
        self.key(field, VARINT);
        self.number(value);
    }

    fn fixed64(&mut self, field: u64, bits: u64) {
        self.key(field, FIXED64);
        self.0.extend(bits.to_le_bytes());
    }

    fn fixed32(&mut self, field: u64, bits: u32) {
        self.key(field, FIXED32);
        self.0.extend(bits.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.key(field, BYTES);
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn key(&mut self, field: u64, wire_type: u64) {
        self.number(field << 3 | wire_type);
    }

    /// Seven bits a byte, the lowest first.
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
