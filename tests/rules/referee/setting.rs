//! Who stands where, by the second referee: moves, checks and threats.

use std::collections::{BTreeMap, BTreeSet};

use facedown::rules::jieqi::{Guards, JieqiRules, Protection};
use facedown::rules::{Color, Role};

/// File and rank.
pub type At = (i8, i8);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Man {
    pub id: usize,
    pub color: Color,
    /// What it moves as: its own role, or the one of the square it lies face down on.
    role: Role,
    pub face_down: bool,
}

/// Who stands where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting(pub BTreeMap<At, Man>);

pub type Ids = BTreeSet<usize>;

fn half(rank: i8) -> Color {
    if rank < 5 { Color::Red } else { Color::Black }
}

fn in_palace((file, rank): At, color: Color) -> bool {
    (3..=5).contains(&file) && if color == Color::Red { rank <= 2 } else { rank >= 7 }
}

/// The role of a home square.
fn home_role((file, rank): At) -> Role {
    match (rank.min(9 - rank), file) {
        (2, _) => Role::Cannon,
        (3, _) => Role::Soldier,
        (_, 0 | 8) => Role::Chariot,
        (_, 1 | 7) => Role::Horse,
        (_, 2 | 6) => Role::Elephant,
        _ => Role::Advisor,
    }
}

impl Setting {
    pub fn of_board(field: &str) -> Setting {
        let mut men = BTreeMap::new();
        for (rank, row) in (0..10).rev().zip(field.split('/')) {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(gap) = letter.to_digit(10) {
                    file += gap as i8;
                    continue;
                }
                let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
                let face_down = letter.eq_ignore_ascii_case(&'x');
                let role = match Role::from_letter(letter.to_ascii_uppercase()) {
                    Some(role) => role,
                    None => home_role((file, rank)),
                };
                men.insert((file, rank), Man { id: men.len(), color, role, face_down });
                file += 1;
            }
        }
        Setting(men)
    }

    pub fn find(&self, id: usize) -> Option<At> {
        self.0.iter().find(|(_, man)| man.id == id).map(|(&at, _)| at)
    }

    pub fn king(&self, color: Color) -> At {
        let is_king = |man: &Man| man.color == color && man.role == Role::King;
        self.0.iter().find(|(_, man)| is_king(man)).map(|(&at, _)| at).expect("a king")
    }

    pub fn after(&self, from: At, to: At, opened: Option<Role>) -> Setting {
        let mut men = self.0.clone();
        let mut man = men.remove(&from).expect("a piece moves");
        if man.face_down {
            man.face_down = false;
            man.role = opened.unwrap_or(man.role);
        }
        men.insert(to, man);
        Setting(men)
    }

    fn men_between(&self, a: At, b: At) -> Option<usize> {
        let (files, ranks) = (b.0 - a.0, b.1 - a.1);
        if (files == 0) == (ranks == 0) {
            return None;
        }
        let step = |n: i8| (a.0 + n * files.signum(), a.1 + n * ranks.signum());
        Some((1..files.abs().max(ranks.abs())).filter(|&n| self.0.contains_key(&step(n))).count())
    }

    /// Whether the piece on `from` reaches `to` by its way of moving; own pieces and kings in danger do
    /// not matter.
    fn reaches(&self, from: At, to: At, rules: &JieqiRules) -> bool {
        let man = self.0[&from];
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let free = !man.face_down && rules.guards == Guards::Free;
        match man.role {
            Role::King => files.abs() + ranks.abs() == 1 && in_palace(to, man.color),
            Role::Chariot => self.men_between(from, to) == Some(0),
            Role::Cannon => self.men_between(from, to) == Some(usize::from(self.0.contains_key(&to))),
            Role::Horse => {
                let leg = match (files.abs(), ranks.abs()) {
                    (2, 1) => (from.0 + files / 2, from.1),
                    (1, 2) => (from.0, from.1 + ranks / 2),
                    _ => return false,
                };
                !self.0.contains_key(&leg)
            }
            Role::Advisor => files.abs() == 1 && ranks.abs() == 1 && (free || in_palace(to, man.color)),
            Role::Elephant => {
                let eye = (from.0 + files / 2, from.1 + ranks / 2);
                files.abs() == 2
                    && ranks.abs() == 2
                    && !self.0.contains_key(&eye)
                    && (free || half(to.1) == man.color)
            }
            Role::Soldier => {
                let forward = if man.color == Color::Red { 1 } else { -1 };
                let crossed = half(from.1) != man.color;
                (files, ranks) == (0, forward) || crossed && ranks == 0 && files.abs() == 1
            }
        }
    }

    /// The pieces that attack `color`'s king; the other king too, if they face each other.
    pub fn checkers(&self, color: Color, rules: &JieqiRules) -> Ids {
        let king = self.king(color);
        let faces = |at: At| at.0 == king.0 && self.men_between(at, king) == Some(0);
        self.0
            .iter()
            .filter(|(_, man)| man.color != color)
            .filter(|&(&at, man)| self.reaches(at, king, rules) || man.role == Role::King && faces(at))
            .map(|(_, man)| man.id)
            .collect()
    }

    pub fn legal_moves(&self, color: Color, rules: &JieqiRules) -> Vec<(At, At)> {
        let mut moves = Vec::new();
        for (&from, _) in self.0.iter().filter(|(_, man)| man.color == color) {
            for to in (0..9).flat_map(|file| (0..10).map(move |rank| (file, rank))) {
                let own = self.0.get(&to).is_some_and(|man| man.color == color);
                if to != from
                    && !own
                    && self.reaches(from, to, rules)
                    && self.after(from, to, None).checkers(color, rules).is_empty()
                {
                    moves.push((from, to));
                }
            }
        }
        moves
    }

    /// Whether the piece on `from` may take on `to` for the purposes of chases: nothing attacks its king
    /// then that did not in the position the question is about.
    fn may_take(&self, from: At, to: At, asked: &Setting, rules: &JieqiRules) -> bool {
        let color = self.0[&from].color;
        let attackers = || self.after(from, to, None).checkers(color, rules);
        self.reaches(from, to, rules) && attackers().is_subset(&asked.checkers(color, rules))
    }

    /// The enemy pieces that `side` threatens, with the pieces that do.
    pub fn threats(&self, side: Color, rules: &JieqiRules) -> BTreeMap<usize, Ids> {
        let mut threats: BTreeMap<usize, Ids> = BTreeMap::new();
        for (&a_at, a) in self.0.iter().filter(|(_, a)| a.color == side) {
            for (&v_at, v) in self.0.iter().filter(|(_, v)| v.color != side) {
                if !rules.chase_exempt_attackers.contains(a.role)
                    && v.role != Role::King
                    && !(rules.chase_exempt_targets.soldiers_at_home()
                        && v.role == Role::Soldier
                        && half(v_at.1) == v.color)
                    && self.may_take(a_at, v_at, self, rules)
                    && self.is_threat(a_at, v_at, rules)
                {
                    threats.entry(v.id).or_default().insert(a.id);
                }
            }
        }
        threats
    }

    fn is_threat(&self, a_at: At, v_at: At, rules: &JieqiRules) -> bool {
        use Role::{Advisor, Cannon, Chariot, Elephant, Horse};
        let (a, v) = (self.0[&a_at], self.0[&v_at]);
        let rook_clause = [Horse, Cannon].contains(&a.role) && v.role == Chariot;
        let guard_clause =
            [Advisor, Elephant].contains(&a.role) && [Chariot, Horse, Cannon].contains(&v.role);
        if rook_clause && rules.protected != Protection::Basic
            || guard_clause && rules.protected == Protection::MajorNeverVsLesser
        {
            return true;
        }
        if a.role == v.role && self.may_take(v_at, a_at, self, rules) {
            return false;
        }
        let taken = self.after(a_at, v_at, None);
        let protectors = taken.0.iter().filter(|(_, man)| man.color == v.color);
        !protectors.into_iter().any(|(&at, _)| taken.may_take(at, v_at, self, rules))
    }

    /// Placement with face-down marks, by which positions are told apart.
    pub fn placement(&self) -> Vec<(At, Color, Option<Role>)> {
        let seen = |man: &Man| (!man.face_down).then_some(man.role);
        self.0.iter().map(|(&at, man)| (at, man.color, seen(man))).collect()
    }
}

pub fn name((file, rank): At) -> String {
    format!("{}{rank}", char::from(b'a' + file as u8))
}

pub fn squares(mv: &str) -> (At, At) {
    let bytes = mv.as_bytes();
    let at = |place: usize| ((bytes[place] - b'a') as i8, (bytes[place + 1] - b'0') as i8);
    (at(0), at(2))
}
