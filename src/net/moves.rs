//! The last layer of a deployed network's policy head, for the moves that are asked about.
//!
//! Of the thousands of scores that the head has for a position some thirty are of legal moves.

use tch::Tensor;
use tch::nn::Conv2D;

use super::Layout;
use crate::game::MoveIndex;

/// How a square's channels make the scores of the moves from there.
#[derive(Debug)]
pub(super) struct MoveScores {
    /// `[policy planes][channels]`.
    weights: Vec<f32>,
    bias: Vec<f32>,
    channels: usize,
    /// Plane and square of each policy entry.
    cells: Vec<(usize, usize)>,
}

impl MoveScores {
    /// The scores of a 1x1 convolution of 32-bit floats, which has a bias.
    pub fn new(conv: &Conv2D, layout: &Layout) -> Self {
        let numbers = |tensor: &Tensor| Vec::<f32>::try_from(tensor.flatten(0, -1)).expect("32-bit floats");
        let squares = layout.shape.squares();
        Self {
            weights: numbers(&conv.ws),
            bias: numbers(conv.bs.as_ref().expect("a convolution without batch norm has a bias")),
            channels: conv.ws.size()[1] as usize,
            cells: layout.policy_cells.iter().map(|cell| (cell / squares, cell % squares)).collect(),
        }
    }

    /// The score of a move, from the channels of a position's squares, one square behind the other.
    pub fn score(&self, position: &[f32], index: MoveIndex) -> f32 {
        let (plane, square) = self.cells[index.get()];
        let of_square = &position[square * self.channels..][..self.channels];
        let of_plane = &self.weights[plane * self.channels..][..self.channels];
        self.bias[plane] + dot(of_square, of_plane)
    }
}

/// The sum of the products, in eight sums side by side, which a CPU adds up at once.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (eights, rest) = a.as_chunks::<8>();
    let (other_eights, other_rest) = b.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (a, b) in eights.iter().zip(other_eights) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    let rest: f32 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}
