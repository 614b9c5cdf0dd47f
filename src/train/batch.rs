//! Rows of a dataset as tensors.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use tch::{Kind, Tensor};

use super::{Example, Secret, Secrets, TrainError};
use crate::game::{Encode, Game, MoveList, Status, Symmetry, View};
use crate::net::{Device, LossFigures, NamedTensors, channels_last, place_of};
use crate::text::shown;
use crate::units::Probability;

/// Positions and their targets, as the loss takes them. `width` is the most legal moves any of them has.
#[derive(Debug)]
pub struct Batch {
    /// `[rows]`: the games the rows are from, as their numbers' bits.
    pub games: Tensor,
    /// `[rows, planes, rows, files]`, channels last in memory.
    pub planes: Tensor,
    /// `[rows, width]`: policy entries of the legal moves, then filler.
    pub legal: Tensor,
    /// `[rows, width]`: true where `legal` holds filler.
    pub filler: Tensor,
    /// `[rows, width]`: the share of the policy target that each move the search visited has; 0 elsewhere.
    pub target: Tensor,
    /// `[rows, width]`: true where `target` holds a share, and on filler.
    pub shared: Tensor,
    /// `[rows]`: what all other legal moves have together of the policy target.
    pub rest: Tensor,
    /// `[rows]`: 1 where there is a policy target, else 0.
    pub has_policy: Tensor,
    /// `[rows, 3]`: win, draw and loss for the player to move.
    pub wdl: Tensor,
    /// `[rows]`: plies to the end of the game.
    pub plies_left: Tensor,
    /// `[rows]`: what the end is worth to the player to move; 0 where it is not known.
    pub settlement: Tensor,
    /// `[rows]`: 1 where the settlement is known, else 0.
    pub has_settlement: Tensor,
    /// What was taken unseen, where anything was.
    pub secrets: Option<Secrets>,
}

/// Shares that add up to 1 but for so much do so but for how exactly they are written down.
const ROUNDING: f32 = 0.002;

/// One encoded position.
struct Encoded {
    legal: Vec<i64>,
    target: Vec<f32>,
    shared: Vec<bool>,
    rest: f32,
    wdl: [f32; 3],
    has_policy: bool,
}

impl Batch {
    /// Encodes examples, whose rules are places in `rules`, each through a symmetry of the board or as it is.
    ///
    /// # Errors
    ///
    /// If an example is not a position under its rules, or gives a share to a move that is not legal there.
    ///
    /// # Panics
    ///
    /// If there are no examples.
    pub fn encode<G: Game>(
        examples: &[(Example<'_, G::Move>, Option<Symmetry>)],
        rules: &[Arc<G::Profile>],
        search_value: Probability,
    ) -> Result<Self, TrainError> {
        let shape = G::View::SHAPE;
        let mut planes = vec![0.0_f32; examples.len() * shape.len()];
        let encoded = examples
            .par_iter()
            .zip(planes.par_chunks_exact_mut(shape.len()))
            .map(|((example, symmetry), planes)| {
                encode::<G>(example, *symmetry, &rules[example.rules], search_value.get() as f32, planes)
            })
            .collect::<Result<Vec<_>, _>>()?;

        let rows = encoded.len();
        let width = encoded.iter().map(|row| row.legal.len()).max().expect("a batch has rows");
        let mut legal = vec![0_i64; rows * width];
        let mut filler = vec![true; rows * width];
        let mut target = vec![0.0_f32; rows * width];
        let mut shared = vec![true; rows * width];
        for (row, start) in encoded.iter().zip((0..).step_by(width)) {
            let end = start + row.legal.len();
            legal[start..end].copy_from_slice(&row.legal);
            filler[start..end].fill(false);
            target[start..end].copy_from_slice(&row.target);
            shared[start..end].copy_from_slice(&row.shared);
        }
        let has_policy: Vec<f32> = encoded.iter().map(|row| f32::from(row.has_policy)).collect();
        let each = || examples.iter().map(|(example, _)| example);
        let known = |example: &Example<'_, G::Move>| f32::from(example.settlement.is_some());
        let wdl: Vec<f32> = encoded.iter().flat_map(|row| row.wdl).collect();

        let table = [rows as i64, width as i64];
        let size = [rows, shape.planes, shape.rows, shape.files].map(|length| length as i64);
        let games: Vec<i64> = examples.iter().map(|(example, _)| example.game_id as i64).collect();
        Ok(Self {
            games: Tensor::from_slice(&games),
            planes: channels_last(&Tensor::from_slice(&planes).view(size)),
            legal: Tensor::from_slice(&legal).view(table),
            filler: Tensor::from_slice(&filler).view(table),
            target: Tensor::from_slice(&target).view(table),
            shared: Tensor::from_slice(&shared).view(table),
            rest: column(encoded.iter().map(|row| row.rest)),
            has_policy: Tensor::from_slice(&has_policy),
            wdl: Tensor::from_slice(&wdl).view([rows as i64, 3]),
            plies_left: column(each().map(|example| f32::from(example.plies_left))),
            settlement: column(each().map(|example| example.settlement.unwrap_or(0.0))),
            has_settlement: column(each().map(known)),
            secrets: secrets(each()),
        })
    }

    pub fn rows(&self) -> u64 {
        self.planes.size()[0] as u64
    }

    /// How many rows have a policy target.
    pub fn policy_rows(&self) -> u64 {
        self.has_policy.sum(Kind::Double).double_value(&[]) as u64
    }

    /// How many rows know what the end was worth.
    pub fn settled_rows(&self) -> u64 {
        self.has_settlement.sum(Kind::Double).double_value(&[]) as u64
    }

    /// How many rows have a secret.
    pub fn secret_rows(&self) -> u64 {
        self.secrets.as_ref().map_or(0, |secrets| secrets.rows.size()[0] as u64)
    }

    /// How many rows each loss is a mean over, in the order of [`LossFigures::parts`].
    pub fn rows_by_loss(&self) -> [u64; LossFigures::NAMES.len()] {
        let all = self.rows();
        [self.policy_rows(), all, all, self.settled_rows(), self.secret_rows()]
    }

    /// Parts of adjacent rows, which differ by a row at the most and share the memory of the whole: so many, or one
    /// for each row where there are fewer.
    pub fn cut(&self, parts: usize) -> Vec<Self> {
        let rows = self.rows() as usize;
        let parts = parts.clamp(1, rows);
        (0..parts).map(|part| self.part(rows * part / parts..rows * (part + 1) / parts)).collect()
    }

    fn part(&self, rows: Range<usize>) -> Self {
        let secrets = self.secrets.as_ref();
        self.each(
            |tensor| tensor.narrow(0, rows.start as i64, rows.len() as i64),
            secrets.and_then(|secrets| secrets.part(rows.start as i64..rows.end as i64)),
        )
    }

    /// The same batch on a device.
    pub fn on(&self, device: Device) -> Self {
        let device = place_of(device);
        self.each(|tensor| tensor.to_device(device), self.secrets.as_ref().map(|secrets| secrets.on(device)))
    }

    /// A batch of what `of` makes of every tensor, with those secrets.
    fn each(&self, of: impl Fn(&Tensor) -> Tensor, secrets: Option<Secrets>) -> Self {
        Self {
            games: of(&self.games),
            planes: of(&self.planes),
            legal: of(&self.legal),
            filler: of(&self.filler),
            target: of(&self.target),
            shared: of(&self.shared),
            rest: of(&self.rest),
            has_policy: of(&self.has_policy),
            wdl: of(&self.wdl),
            plies_left: of(&self.plies_left),
            settlement: of(&self.settlement),
            has_settlement: of(&self.has_settlement),
            secrets,
        }
    }

    /// All of it by name, sharing the tensors.
    pub(super) fn tensors(&self) -> NamedTensors {
        let Self { games, planes, legal, filler, target, shared, rest, has_policy, wdl, .. } = self;
        let Self { plies_left, settlement, has_settlement, secrets, .. } = self;
        let always = [
            ("games", games),
            ("planes", planes),
            ("legal", legal),
            ("filler", filler),
            ("target", target),
            ("shared", shared),
            ("rest", rest),
            ("has_policy", has_policy),
            ("wdl", wdl),
            ("plies_left", plies_left),
            ("settlement", settlement),
            ("has_settlement", has_settlement),
        ];
        let secrets = secrets.iter().flat_map(|Secrets { rows, pool, taken }| {
            [("secrets.rows", rows), ("secrets.pool", pool), ("secrets.taken", taken)]
        });
        let named = always.into_iter().chain(secrets);
        named.map(|(name, tensor)| (name.into(), tensor.contiguous())).collect()
    }
}

fn column(values: impl Iterator<Item = f32>) -> Tensor {
    Tensor::from_slice(&values.collect::<Vec<_>>())
}

/// The secrets among examples.
fn secrets<'a, M: 'a>(examples: impl Iterator<Item = &'a Example<'a, M>>) -> Option<Secrets> {
    let found: Vec<(i64, Secret<'a>)> =
        (0..).zip(examples).filter_map(|(row, example)| Some((row, example.secret?))).collect();
    let kinds = found.first()?.1.pool.len();
    let table = |counts: fn(&Secret<'a>) -> &'a [u8]| {
        let counts = found.iter().flat_map(|(_, secret)| counts(secret)).map(|&count| i64::from(count));
        Tensor::from_slice(&counts.collect::<Vec<_>>()).view([found.len() as i64, kinds as i64])
    };
    Some(Secrets {
        rows: Tensor::from_slice(&found.iter().map(|(row, _)| *row).collect::<Vec<_>>()),
        pool: table(|secret| secret.pool),
        taken: table(|secret| secret.taken),
    })
}

fn encode<G: Game>(
    example: &Example<'_, G::Move>,
    symmetry: Option<Symmetry>,
    rules: &Arc<G::Profile>,
    search_value: f32,
    planes: &mut [f32],
) -> Result<Encoded, TrainError> {
    let game_id = example.game_id;
    let view = G::View::parse(example.view, rules).map_err(|source| TrainError::View { game_id, source })?;
    if matches!(view.status(), Status::Over(_)) {
        return Err(TrainError::Over { game_id, view: shown(example.view) });
    }
    let mut moves = MoveList::new();
    view.legal_moves(&mut moves);

    let (mut target, mut shared) = (vec![0.0; moves.len()], vec![false; moves.len()]);
    for &(mv, share) in example.candidates {
        let place = moves.binary_search(&mv).map_err(|_| TrainError::IllegalMove {
            game_id,
            mv: mv.to_string(),
            view: shown(example.view),
        })?;
        (target[place], shared[place]) = (share, true);
    }
    let total: f32 = target.iter().sum();
    let has_policy = example.full_search && total > 0.0;
    let mut rest = 1.0 - total;
    if has_policy && (rest < ROUNDING || !shared.contains(&false)) {
        target.iter_mut().for_each(|share| *share /= total);
        rest = 0.0;
    }

    let place = |mv| {
        let index = view.index(mv);
        symmetry.map_or(index, |by| G::View::mirrored_index(index, by)).get() as i64
    };
    let legal = moves.iter().map(|&mv| place(mv)).collect();
    match symmetry {
        Some(by) => view.mirrored(by).planes(planes),
        None => view.planes(planes),
    }
    let wdl = blend(win_draw_loss(f32::from(example.result)), win_draw_loss(example.value), search_value);
    Ok(Encoded { legal, target, shared, rest, wdl, has_policy })
}

/// The chances of win, draw and loss with the given expectation that leave most to the draw.
fn win_draw_loss(value: f32) -> [f32; 3] {
    let value = value.clamp(-1.0, 1.0);
    [value.max(0.0), 1.0 - value.abs(), (-value).max(0.0)]
}

fn blend(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|side| a[side] * (1.0 - share) + b[side] * share)
}
