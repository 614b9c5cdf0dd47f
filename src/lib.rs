//! facedown: self-play training and analysis for xiangqi's face-down games.
