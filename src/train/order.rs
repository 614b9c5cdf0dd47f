//! The order in which the rows of a window are learned from.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::game::random_stream;
use crate::units::Probability;

/// An endless order of a window's rows. It comes in passes, in each of which a row is shown once at the most,
/// and a pass comes in blocks, each of which fits into memory: some row groups from anywhere in the window,
/// and their rows well mixed. It depends on nothing but its fields, so it can be entered anywhere.
pub(super) struct Order {
    pub seed: u64,
    /// How many rows to learn from each row group has, the newest first; one has some.
    pub groups: Vec<u64>,
    /// The most rows in memory at once, where a row group has fewer.
    pub rows_in_memory: u64,
    /// How many of the passes the oldest row group sits out.
    pub recency: Probability,
}

/// A stretch of the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub groups: Vec<usize>,
    pub rows: u64,
    pass: u64,
    number: u64,
}

impl Order {
    /// The blocks from a place of the order on, the first with the number of its rows that lie before it.
    pub fn blocks_from(&self, place: u64) -> impl Iterator<Item = (Block, u64)> {
        let mut before = place;
        (0..).flat_map(|pass| self.pass(pass)).filter_map(move |block| {
            let skipped = before.min(block.rows);
            before -= skipped;
            (skipped < block.rows).then_some((block, skipped))
        })
    }

    /// The rows of a block, mixed, by their places there.
    pub fn mixed(&self, block: &Block) -> Vec<u32> {
        let rows = u32::try_from(block.rows).expect("a block has fewer than four billion rows");
        let mut mixed: Vec<u32> = (0..rows).collect();
        mixed.shuffle(&mut random_stream(!self.seed, block.pass << 24 | block.number));
        mixed
    }

    fn pass(&self, pass: u64) -> Vec<Block> {
        let mut rng = random_stream(self.seed, pass);
        let mut groups: Vec<usize> =
            (0..self.groups.len()).filter(|&group| rng.random::<f64>() >= self.sits_out(group)).collect();
        groups.retain(|&group| self.groups[group] > 0);
        groups.shuffle(&mut rng);
        let mut blocks = Vec::new();
        let most = self.most_in_block();
        let mut open = Block { groups: Vec::new(), rows: 0, pass, number: 0 };
        for group in groups {
            if open.rows > 0 && open.rows + self.groups[group] > most {
                let number = open.number + 1;
                blocks
                    .push(std::mem::replace(&mut open, Block { groups: Vec::new(), rows: 0, pass, number }));
            }
            open.groups.push(group);
            open.rows += self.groups[group];
        }
        if open.rows > 0 {
            blocks.push(open);
        }
        // A block of the same groups as the last one need not be read again.
        blocks.iter_mut().for_each(|block| block.groups.sort_unstable());
        blocks
    }

    /// While a block is learned from, the next one is read, unless one holds all.
    fn most_in_block(&self) -> u64 {
        let all: u64 = self.groups.iter().sum();
        if all <= self.rows_in_memory { all } else { self.rows_in_memory / 2 }
    }

    /// With which chance a group is not in a pass: the newest that has rows never is.
    fn sits_out(&self, group: usize) -> f64 {
        let newest = self.groups.iter().position(|&rows| rows > 0).unwrap_or(0);
        let span = self.groups.len() - 1 - newest;
        self.recency.get() * group.saturating_sub(newest) as f64 / span.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 groups of 50 to 89 rows.
    fn order(rows_in_memory: u64, recency: f64) -> Order {
        let recency = Probability::new(recency).expect("in range");
        Order { seed: 7, groups: (50..90).collect(), rows_in_memory, recency }
    }

    /// The first rows of the order, each as its group and its place there.
    fn rows(order: &Order, from: u64, number: usize) -> Vec<(usize, u32)> {
        let blocks = order.blocks_from(from).flat_map(|(block, skipped)| {
            let of_block: Vec<(usize, u32)> = block
                .groups
                .iter()
                .flat_map(|&group| (0..order.groups[group] as u32).map(move |row| (group, row)))
                .collect();
            let mixed = order.mixed(&block).into_iter().skip(skipped as usize);
            mixed.map(move |row| of_block[row as usize]).collect::<Vec<_>>()
        });
        blocks.take(number).collect()
    }

    #[test]
    fn each_row_comes_up_once_a_pass_and_the_order_can_be_entered_anywhere() {
        let all: usize = (50..90).sum();
        for rows_in_memory in [100, 700, 100_000] {
            let order = order(rows_in_memory, 0.0);
            let shown = rows(&order, 0, 2 * all);
            let mut passes = shown.chunks(all).map(|pass| {
                let mut sorted = pass.to_vec();
                sorted.sort_unstable();
                sorted
            });
            let expected: Vec<_> =
                (0..40).flat_map(|group| (0..50 + group as u32).map(move |row| (group, row))).collect();
            assert!(passes.all(|pass| pass == expected), "{rows_in_memory}");
            assert_ne!(shown[..all], shown[all..]);
            for place in [1, 333, all - 1, all, all + 77] {
                assert_eq!(rows(&order, place as u64, 300)[..], shown[place..][..300.min(2 * all - place)]);
            }
        }
    }

    #[test]
    fn no_two_blocks_are_more_than_fits_and_each_is_from_anywhere() {
        let order = order(700, 0.0);
        let blocks: Vec<Block> = order.blocks_from(0).map(|(block, _)| block).take(20).collect();
        assert!(blocks.windows(2).all(|two| two[0].rows + two[1].rows <= 700));
        let spread = |block: &Block| block.groups.last().expect("some") - block.groups[0];
        assert!(blocks.iter().filter(|block| spread(block) >= 20).count() > 10, "{blocks:?}");
        // What fits is one block, the same in each pass.
        let whole = Order { rows_in_memory: 100_000, ..order };
        let blocks: Vec<Block> = whole.blocks_from(0).map(|(block, _)| block).take(3).collect();
        assert!(blocks.iter().all(|block| block.groups == (0..40).collect::<Vec<_>>()), "{blocks:?}");
    }

    #[test]
    fn old_groups_sit_passes_out_as_asked() {
        let order = order(100_000, 0.8);
        let passes: Vec<Block> = order.blocks_from(0).map(|(block, _)| block).take(2000).collect();
        let share = |group: usize| {
            passes.iter().filter(|block| block.groups.contains(&group)).count() as f64 / passes.len() as f64
        };
        assert_eq!(share(0), 1.0);
        // Four standard errors of a share of 2,000.
        assert!((share(39) - 0.2).abs() < 0.036 && (share(20) - (1.0 - 0.8 * 20.0 / 39.0)).abs() < 0.045);
    }
}
