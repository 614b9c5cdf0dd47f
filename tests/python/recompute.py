"""Computes the tables of `facedown analyze all` anew with pandas and compares them with its CSV files.

    recompute.py DATA REPORT

DATA is a dataset of one rule set, REPORT the folder the command wrote. Every figure must be the same text.
The one thing let pass is a figure that lies on the edge between two roundings to within 1e-9, where the
order of a sum decides. Exits with 1 and names the figures that differ.

Formulas are written here as their sources have them, not as the program has them.
"""

import csv
import math
import os
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pyarrow.parquet as pq

MIN_VISITS = 4
NORMAL = 1.959963984540054


# ---- statistics


def two_sided(t, degrees):
    """P(-t < T < t) for Student's t: the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4."""
    angle = math.atan2(t, math.sqrt(degrees))
    square = math.cos(angle) ** 2
    if degrees % 2:
        steps = np.arange(1, (degrees - 1) // 2)
        terms = np.concatenate([[1.0], np.cumprod(2 * steps / (2 * steps + 1) * square)])
        inner = math.sin(angle) * math.cos(angle) * terms.sum() if degrees > 1 else 0.0
        return 2 / math.pi * (angle + inner)
    steps = np.arange(1, degrees // 2)
    terms = np.concatenate([[1.0], np.cumprod((2 * steps - 1) / (2 * steps) * square)])
    return math.sin(angle) * terms.sum()


@cache
def student(degrees):
    low, high = 1.0, 13.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided(middle, degrees) < 0.95 else (low, middle)
    return (low + high) / 2


def around(value, influences):
    """Value, low, high, from each game's influence on the value."""
    games = len(influences)
    if games < 2:
        return [value, None, None]
    reach = student(games - 1) * math.sqrt(games / (games - 1) * float((influences**2).sum()))
    return [value, value - reach, value + reach]


def mean(values, games):
    """Value, low, high of the mean of `values`, with `games` as clusters."""
    frame = pd.DataFrame({"value": np.asarray(values, float), "game": np.asarray(games)})
    if frame.empty:
        return [None, None, None]
    value = frame["value"].mean()
    return around(value, (frame["value"] - value).groupby(frame["game"]).sum() / len(frame))


def percent(values, games):
    """The mean of figures that cannot leave 0 to 100, nor can its interval."""
    value, low, high = mean(values, games)
    return [value, low, high] if low is None else [value, max(low, 0.0), min(high, 100.0)]


def difference(values, games, exposed):
    frame = pd.DataFrame({"value": np.asarray(values, float), "game": games, "exposed": exposed})
    left, right = frame[frame["exposed"]], frame[~frame["exposed"]]
    if left.empty or right.empty:
        return None
    influence = pd.Series(0.0, index=frame.index)
    influence[left.index] = (left["value"] - left["value"].mean()) / len(left)
    influence[right.index] = -(right["value"] - right["value"].mean()) / len(right)
    value = left["value"].mean() - right["value"].mean()
    return around(value, influence.groupby(frame["game"]).sum())


def share(has, games):
    """The share in percent of a property, with Wilson's interval at the effective sample size."""
    frame = pd.DataFrame({"value": np.asarray(has, float), "game": np.asarray(games)})
    p, clusters = frame["value"].mean(), frame["game"].nunique()
    if clusters < 2:
        return [100 * p, None, None]
    influences = (frame["value"] - p).groupby(frame["game"]).sum() / len(frame)
    variance = clusters / (clusters - 1) * float((influences**2).sum())
    if p in (0.0, 1.0):
        effective = clusters
    else:
        effective = min(p * (1 - p) / variance, len(frame)) if variance > 0 else len(frame)
    return [100 * p] + wilson(p, 0.0, effective * (NORMAL / student(clusters - 1)) ** 2)


def wilson(mean, drawn, n):
    """The two means m with n (mean - m)^2 = z^2 (m (1 - m) - drawn / 4), in percent: roots of a quadratic."""
    a = n + NORMAL**2
    b = -(2 * n * mean + NORMAL**2)
    c = n * mean**2 + NORMAL**2 * drawn / 4
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return [100 * (-b - root) / (2 * a), 100 * (-b + root) / (2 * a)]


def score(results):
    """Games, wins, draws, losses, and the score in percent with its interval."""
    results = np.asarray(results)
    n, wins, draws, losses = len(results), *(int((results == sign).sum()) for sign in (1, 0, -1))
    counts = [n, wins, draws, losses]
    if n == 0:
        return counts + [None, None, None]
    value = (wins + draws / 2) / n
    return counts + [100 * value] + wilson(value, draws / (n + NORMAL**2), n)


# ---- the dataset


def load(data):
    def read(table):
        return pd.concat(
            [pq.ParquetFile(path).read().to_pandas(ignore_metadata=True) for path in files(data, table)],
            ignore_index=True,
        )

    games = read("games")
    plies, candidates, first = [], [], 0
    for path in files(data, "plies"):
        table = pq.ParquetFile(path).read()
        lists = table.column("candidates").combine_chunks()
        members = lists.flatten()
        fields = {name: members.field(name).to_numpy(zero_copy_only=False) for name in names(members)}
        rows = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False)
        candidates.append(pd.DataFrame(fields | {"row": rows + first}))
        plies.append(table.drop_columns(["candidates"]).to_pandas(ignore_metadata=True))
        first += table.num_rows
    with_outcomes = pd.concat(plies, ignore_index=True)
    plies = with_outcomes.drop(columns="outcomes")
    candidates = pd.concat(candidates, ignore_index=True)
    candidates["q"] = candidates["q"].astype(float)
    candidates["q_again"] = candidates["q_again"].astype(float)
    candidates["risk"] = candidates["risk"].astype(float)
    candidates = candidates.join(
        plies[["game_id", "ply", "seat", "phase", "full_search", "audited"]], on="row"
    )
    every = candidates
    candidates = candidates[candidates["full_search"] | candidates["audited"]]
    counted = candidates["audited"] | (candidates["visits"] >= MIN_VISITS)
    candidates = candidates[counted & (candidates["visits"] >= 1)].reset_index(drop=True)
    return games, plies, candidates, every, with_outcomes


def files(data, table):
    return sorted((data / table).glob("*.parquet"))


def names(members):
    return [members.type.field(at).name for at in range(members.type.num_fields)]


# ---- the board


def reversed_within(letters):
    """Translates every character to the one as far from the other end."""
    return str.maketrans(letters, letters[::-1])


class Board:
    """How squares and moves look from elsewhere."""

    def __init__(self, game):
        self.banqi = game == "banqi"
        self.files = reversed_within("abcdefgh" if self.banqi else "abcdefghi")
        self.ranks = reversed_within("1234" if self.banqi else "0123456789")

    def images(self, name):
        """The square or move and its mirror images, sorted."""
        other = name.translate(self.files)
        turned = {name.translate(self.ranks), other.translate(self.ranks)} if self.banqi else set()
        return sorted({name, other} | turned)

    def merged(self, name):
        return self.images(name)[0]

    def from_the_mover(self, name, seat):
        return name if seat == 0 or self.banqi else name.translate(self.files).translate(self.ranks)

    def beside(self, view, square):
        """Own and enemy face-up pieces next to a square of Banqi, as few() has them."""
        placement, side = view.split(" ")[:2]
        cells = {}
        for rank, text in zip("4321", placement.split("/")):
            row = "".join("." * int(c) if c.isdigit() else c for c in text)
            cells.update(zip((file + rank for file in "abcdefgh"), row))
        steps = [(0, 1), (0, -1), (1, 0), (-1, 0)]
        near = [cells.get(chr(ord(square[0]) + x) + chr(ord(square[1]) + y), ".") for x, y in steps]
        own = sum(c.isalpha() and c.isupper() == (side == "w") for c in near)
        enemy = sum(c.isalpha() and c.isupper() != (side == "w") for c in near)
        return own, enemy


def few(counts):
    return pd.Series(counts).map(lambda count: "2+" if count >= 2 else str(count)).to_numpy()


# ---- the tables


def openings(board, plies, candidates):
    opening = plies[plies["ply"] == 0].copy()
    opening["merged"] = opening["move"].map(board.merged)
    looked = candidates[candidates["ply"] == 0].copy()
    looked["merged"] = looked["move"].map(board.merged)
    looked["percent"] = 50 * (1 + looked["q"])
    moves = []
    for name in sorted(set(opening["merged"]) | set(looked["merged"])):
        value = looked[looked["merged"] == name]
        row = [name, " ".join(board.images(name)[1:]) or None]
        row += score(opening.loc[opening["merged"] == name, "result"])
        moves.append(row + [len(value)] + percent(value["percent"], value["game_id"]))
    yield "openings", moves

    reveals = []
    for (name, letter), group in opening.dropna(subset="revealed").groupby(["merged", "revealed"]):
        after = 50 * (1 + group["next_value"].astype(float))
        reveals.append([name, letter] + score(group["result"]) + percent(after, group["game_id"]))
    yield "openings_reveals", reveals

    letters = []
    for letter, group in opening.dropna(subset="revealed").groupby("revealed"):
        after = 50 * (1 + group["next_value"].astype(float))
        letters.append([letter] + score(group["result"]) + percent(after, group["game_id"]))
    yield "openings_letters", letters

    flips = looked[looked["kind"].isin(["flip", "flip-capture"])]
    for table, square in (("openings_from", flips["move"].str[:2]), ("openings_to", flips["move"].str[2:])):
        if table == "openings_from" or not board.banqi:
            yield table, squares(flips.assign(square=square.map(board.merged)), "percent", percent)


def squares(flips, column, estimate):
    return [
        [square, len(group), group["game_id"].nunique()] + estimate(group[column], group["game_id"])
        for square, group in flips.groupby("square")
    ]


def against_best_other(candidates):
    """Points of each candidate against the best of the others: drop one row at a time."""
    best_other = np.full(len(candidates), np.nan)
    for _, group in candidates.groupby("row"):
        q = group["q"].to_numpy()
        for place, index in enumerate(group.index):
            if len(q) > 1:
                best_other[index] = np.delete(q, place).max()
    return 50 * (candidates["q"] - best_other)


def exposure(board, plies, candidates):
    candidates = candidates.assign(
        source=np.where(candidates["audited"], "audited", "searched"),
        attack=few(candidates["attackers"]),
        defend=few(candidates["defenders"]),
        points=against_best_other(candidates),
    )
    flips = candidates[candidates["kind"].isin(["flip", "flip-capture"]) & candidates["points"].notna()]
    cells = []
    for cell, group in flips.groupby(["kind", "source", "attack", "defend"]):
        counts = [group["row"].nunique(), len(group), group["game_id"].nunique()]
        cells.append(list(cell) + counts + mean(group["points"], group["game_id"]) + [group["risk"].mean()])
    kinds = {"flip": 0, "flip-capture": 1}
    yield "exposure", sorted(cells, key=lambda row: (kinds[row[0]], row[1] != "searched", row[2], row[3]))

    plain = candidates[candidates["kind"] == "flip"]
    controlled = plain[plain["attackers"] > 0].groupby("row")["q"].max()
    free = plain[plain["attackers"] == 0].groupby("row")["q"].max()
    contrast = (50 * (controlled - free)).dropna().rename("points").to_frame().join(plies[["game_id", "phase", "audited"]])
    rows = []
    for source in ("searched", "audited"):
        for phase in ("any", "opening", "middle", "endgame"):
            of = contrast[contrast["audited"] == (source == "audited")]
            of = of if phase == "any" else of[of["phase"] == phase]
            if len(of):
                rows.append([source, phase, len(of), of["game_id"].nunique()] + mean(of["points"], of["game_id"]))
    yield "exposure_contrast", rows

    played = plies[plies["kind"].isin(["flip", "flip-capture"]) & ~plies["explored"]].copy()
    played["change"] = 50 * (played["next_value"].astype(float) - played["value"].astype(float))
    played["lost"] = played["lost_in"].fillna(1000) <= 2
    played["attack"], played["defend"] = few(played["attackers"]), few(played["defenders"])
    rows = []
    for cell, group in played.groupby(["kind", "attack", "defend"]):
        figures = mean(group["change"], group["game_id"]) + share(group["lost"], group["game_id"])
        counts = [len(group), group["game_id"].nunique()]
        rows.append(list(cell) + counts + figures + [group["risk"].astype(float).mean()])
    yield "exposure_played", sorted(rows, key=lambda row: (kinds[row[0]], row[1], row[2]))

    onto_empty = played[played["kind"] == "flip"].reset_index(drop=True)
    contrast = difference(onto_empty["change"], onto_empty["game_id"], onto_empty["attackers"] > 0)
    counts = [len(onto_empty), onto_empty["game_id"].nunique()]
    yield "exposure_played_contrast", [["controlled less free"] + counts + contrast] if contrast else []

    if board.banqi:
        return
    onto_empty = flips[flips["kind"] == "flip"]
    for table, part in (("exposure_to", slice(2, 4)), ("exposure_from", slice(0, 2))):
        seen = zip(onto_empty["move"], onto_empty["seat"])
        turned = [board.merged(board.from_the_mover(mv[part], seat)) for mv, seat in seen]
        yield table, squares(onto_empty.assign(square=turned), "points", mean)


BANDS = [1, 5, 9, 17, 25, 33]


def band(left):
    """A band of face-down pieces, by its first: names sort otherwise."""
    return max(least for least in BANDS if least <= left)


def band_name(least):
    return f"{least} to {BANDS[BANDS.index(least) + 1] - 1}"


def flips_in_place(board, plies, candidates):
    about = plies[["view", "face_down_left", "pool_own", "pool_enemy"]]
    candidates = candidates.assign(points=against_best_other(candidates)).join(about, on="row")
    flips = candidates[(candidates["kind"] == "flip") & candidates["points"].notna()].copy()

    def table(keys, names):
        rows = []
        for key, group in flips.groupby(keys):
            counts = [len(group), group["game_id"].nunique()]
            rows.append(names(*key) + counts + mean(group["points"], group["game_id"]))
        return rows

    flips["square"] = flips["move"].map(board.merged)
    yield "flips_squares", table(["square"], lambda square: [square])
    beside = [board.beside(view, square) for view, square in zip(flips["view"], flips["move"])]
    flips["own"], flips["enemy"] = few([own for own, _ in beside]), few([enemy for _, enemy in beside])
    yield "flips_neighbours", table(["own", "enemy"], lambda own, enemy: [own, enemy])
    own, enemy = (flips[pool].map(lambda counts: sum(map(int, counts))) for pool in ("pool_own", "pool_enemy"))
    flips["band"] = flips["face_down_left"].map(band)
    # A tenth of the pool, in whole numbers: what is on the edge stays on it.
    flips["balance"] = np.sign((10 * abs(own - enemy) > own + enemy) * (own - enemy))
    words = {-1: "fewer own", 0: "even", 1: "more own"}
    yield "flips_pool", table(["band", "balance"], lambda left, balance: [band_name(left), words[balance]])

    is_flip = candidates["kind"] == "flip"
    best = pd.DataFrame({
        "flip": candidates[is_flip].groupby("row")["q"].max(),
        "move": candidates[~is_flip].groupby("row")["q"].max(),
    }).dropna()
    best = best.join(plies[["game_id", "kind", "face_down_left", "explored"]])
    best["points"] = 50 * (best["flip"] - best["move"])
    rows = []
    for left, group in best.groupby(best["face_down_left"].map(band)):
        chosen = group[~group["explored"]]
        row = [band_name(left), len(group), group["game_id"].nunique()]
        row += share(chosen["kind"] == "flip", chosen["game_id"])
        rows.append(row + mean(group["points"], group["game_id"]))
    yield "flips_turns", rows


def limit(plies):
    marks = [10, 20, 30, 50, 100, 180]
    plies = plies.sort_values(["game_id", "ply"]).reset_index(drop=True)
    progress = plies["kind"] != "move"
    # Plies since the last progress, before each ply and after it.
    stretch = (progress.groupby(plies["game_id"]).cumsum() - progress).astype(int)
    before = plies.groupby([plies["game_id"], stretch]).cumcount()
    after = np.where(progress, 0, before + 1)
    games = pd.DataFrame({"game": plies["game_id"], "longest": after}).groupby("game")["longest"].max()
    drawn = plies.groupby("game_id")["result"].first() == 0
    rows = []
    for mark in marks:
        reached = games >= mark
        if not reached.any():
            continue
        first = plies[(before == mark) & (plies["value"] != 0)].groupby("game_id").head(1)
        # Only the first time, and there the value may say nothing.
        earliest = plies[before == mark].groupby("game_id")["ply"].first()
        first = first[first["ply"].to_numpy() == earliest[first["game_id"]].to_numpy()]
        ahead = 50 * (1 + np.sign(first["value"].astype(float)) * first["result"])
        row = [mark, int(reached.sum())] + share(reached, games.index)
        rows.append(row + share(drawn[reached], games.index[reached]) + percent(ahead, first["game_id"]))
    yield "limit_games", rows

    rows = []
    for low, high in zip([0] + marks, marks + [None]):
        chosen = (before >= low) & (before < (high or 10**6))
        of = plies[chosen]
        if len(of):
            name = f"{low} to {high - 1}" if high else f"{low} and more"
            row = [name, len(of), of["game_id"].nunique()] + share(progress[chosen], of["game_id"])
            rows.append(row + mean(50 * of["value"].astype(float).abs(), of["game_id"]))
    yield "limit_plies", rows


def summary(games, plies, candidates, data):
    n = len(games)
    lengths = np.sort(games["plies"].to_numpy())
    size = sum(os.path.getsize(path) for table in ("games", "plies") for path in files(data, table))
    is_flip = plies["kind"].isin(["flip", "flip-capture"])
    moves = candidates[candidates["audited"]].groupby("row").size()
    flips, full = plies[is_flip], plies[plies["full_search"]]
    bare = [None, None]
    yield "summary", [
        ["games", n] + bare,
        ["plies", len(plies)] + bare,
        ["plies a game"] + mean(games["plies"], games["game_id"]),
        ["plies a game, median", int(lengths[math.ceil(n / 2) - 1])] + bare,
        ["plies of the shortest game", int(lengths[0])] + bare,
        ["plies of the longest game", int(lengths[-1])] + bare,
        ["score of the first seat, %"] + score(games["result"])[4:],
        ["flips among plies, %"] + share(is_flip, plies["game_id"]),
        ["flips onto controlled squares among flips, %"] + share(flips["attackers"] > 0, flips["game_id"]),
        ["plies with a full search", len(full)] + bare,
        ["visits of a full search"] + mean(full["visits"], full["game_id"]),
        ["audited plies", int(plies["audited"].sum())] + bare,
        ["legal moves of an audited ply"] + mean(moves, moves.index.map(plies["game_id"])),
        ["explored plies", int(plies["explored"].sum())] + bare,
        ["bytes a ply on disk", float(size / len(plies))] + bare,
    ]
    results = [("first seat wins", 1), ("draw", 0), ("second seat wins", -1)]
    yield "summary_results", [
        [name, int((games["result"] == sign).sum()), 100.0 * float((games["result"] == sign).mean())]
        for name, sign in results
    ]
    yield "summary_endings", [
        [reason, len(group), 100.0 * len(group) / n]
        + [int((group["result"] == sign).sum()) for sign in (1, 0, -1)]
        + [float(group["plies"].mean())]
        for reason, group in games.groupby("end_reason")
    ]
    steps = range(lengths[0] // 20, lengths[-1] // 20 + 1)
    yield "summary_lengths", [[20 * s, 20 * s + 19, int((lengths // 20 == s).sum())] for s in steps]
    yield "summary_players", [
        [first, second] + score(group["result"]) for (first, second), group in games.groupby(["first", "second"])
    ]


# ---- headline figures of the reports that take the luck out, each a row of a table


def slope(x, y, games):
    """The second coefficient of y on one and the columns of x, with games as clusters."""
    design = np.column_stack([np.ones(len(y)), *x])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y
    residuals = y - design @ coefficients
    scores = pd.DataFrame(design * residuals[:, None]).groupby(np.asarray(games)).sum()
    return around(float(coefficients[1]), scores.to_numpy() @ inverse[1])


def ledgers(plies):
    """One row for each possible outcome, with the mover's luck of its ply."""
    columns = ["game_id", "ply", "seat", "kind", "revealed", "taken", "result", "outcomes"]
    rows = plies[columns].rename(columns={"taken": "took"}).explode("outcomes")
    rows = rows[rows["outcomes"].notna()].copy()
    for name in ("reveal", "taken", "p_mover", "p_referee", "q"):
        values = rows["outcomes"].map(lambda outcome, name=name: outcome[name])
        rows[name] = values if name in ("reveal", "taken") else values.astype(float)
    # Nothing turned up where a face-up piece takes a face-down one; what it took is an outcome where its player sees it.
    rows["came"] = rows["reveal"].fillna("") == rows["revealed"].fillna("")
    rows["came"] &= rows["taken"].isna() | (rows["taken"] == rows["took"])
    return rows


def headlines(plies, every, with_outcomes):
    """Table, the first cells of a row, the figures behind them with counts and intervals."""
    judged = every[every["audited"] & (every["kind"] == "flip") & every["q_again"].notna()]
    prices = []
    for row, flips in judged.groupby("row"):
        controlled, free = flips[flips["attackers"] > 0], flips[flips["attackers"] == 0]
        if len(controlled) and len(free):
            scored = [
                free["q_again"].to_numpy()[free["q"].to_numpy().argmax()],
                free["q"].to_numpy()[free["q_again"].to_numpy().argmax()],
            ]
            points = 50 * ((controlled["q"] + controlled["q_again"]) / 2 - np.mean(scored))
            prices.append(pd.DataFrame({"points": points, "game": controlled["game_id"]}))
    if prices:
        prices = pd.concat(prices)
        counts = [len(prices), prices["game"].nunique()]
        yield "exposure_price", ["all", "all"], counts + mean(prices["points"], prices["game"])

    full = plies[plies["full_search"]]
    value = full["value"].astype(float).to_numpy()
    calibration = slope([value], full["result"].to_numpy(float), full["game_id"])
    yield "calibration", ["search"], [len(full), full["game_id"].nunique()] + calibration

    rows = ledgers(with_outcomes)
    if rows.empty:
        return
    odds = rows.groupby(["game_id", "ply"])["p_referee"].transform("sum")
    rows["luck"] = rows["q"] * rows["came"] - rows["p_referee"] * rows["q"] / odds
    # The odds of a letter, whatever was taken along with it.
    turned = rows[rows["revealed"].notna() & rows["reveal"].notna()]
    letters = turned.groupby(["game_id", "ply", "reveal"], as_index=False)
    letters = letters.agg(p_mover=("p_mover", "sum"), revealed=("revealed", "first"))
    letters["square"] = (letters["p_mover"] - (letters["reveal"] == letters["revealed"])) ** 2
    reveals = letters.groupby(["game_id", "ply"], as_index=False)["square"].sum()
    counts = [len(reveals), reveals["game_id"].nunique()]
    yield "reveals", ["owner of the piece"], counts + mean(reveals["square"], reveals["game_id"])

    swings = rows.groupby(["game_id", "ply"], as_index=False).agg(luck=("luck", "sum"), seat=("seat", "first"))
    luck = (swings["luck"] * np.where(swings["seat"] == 0, 1, -1)).groupby(swings["game_id"]).sum()
    first = plies[plies["ply"] == 0].set_index("game_id")["result"].astype(float)
    luck = luck.reindex(first.index, fill_value=0.0).to_numpy()
    first, ids = first.to_numpy(), first.index
    spread = luck.std() ** 2 > 1e-12 and first.std() ** 2 > 1e-12
    if spread:
        yield "luck", ["result on luck, slope", ""], [len(ids), len(ids)] + slope([luck], first, ids)
    adjusted = ["the same less the luck", "points"], [len(ids), len(ids)] + mean(50 * (first - luck), ids)
    yield "luck", *adjusted
    if not spread:
        return
    # R squared: the influence on r of what is standardized, Fisher's z, then squares.
    a = (first - first.mean()) / first.std()
    b = (luck - luck.mean()) / luck.std()
    r = float((a * b).mean())
    _, low, high = around(r, (a * b - r * (a**2 + b**2) / 2) / len(a))
    reach = (high - low) / 2 / (1 - r * r)
    ends = [math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)]
    squares = sorted(end * end for end in ends)
    low = 0.0 if ends[0] * ends[1] <= 0 else squares[0]
    share_row = ["share of the results' variance that goes with the luck", "%"]
    yield "luck", share_row, [len(ids), len(ids), 100 * r * r, 100 * low, 100 * squares[1]]


# ---- the comparison


def agrees(found, expected):
    if expected is None or isinstance(expected, str):
        return found == (expected or "")
    if isinstance(expected, (int, np.integer)):
        return found == str(expected)
    decimals = len(found.partition(".")[2])
    text = f"{expected:.{decimals}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    if found == text:
        return True
    edge = abs(expected) * 10**decimals
    on_the_edge = abs(edge - math.floor(edge) - 0.5) < 1e-9 * max(1.0, edge)
    return on_the_edge and abs(float(found) - expected) <= 0.5000001 * 10**-decimals


def main(data, report):
    games, plies, candidates, every, with_outcomes = load(data)
    board = Board(games["game"].iloc[0])
    tables = [
        *summary(games, plies, candidates, data),
        *openings(board, plies, candidates),
        *exposure(board, plies, candidates),
    ]
    if board.banqi:
        tables += [*flips_in_place(board, plies, candidates), *limit(plies)]
    figures, wrong = 0, []
    for name, rows in tables:
        with open(report / f"{name}.csv", newline="", encoding="utf-8") as file:
            _, *found = list(csv.reader(file))
        if len(found) != len(rows):
            wrong.append(f"{name}: {len(found)} rows, pandas has {len(rows)}")
        for at, (found_row, row) in enumerate(zip(found, rows)):
            figures += len(row)
            if len(found_row) != len(row) or not all(map(agrees, found_row, row)):
                wrong.append(f"{name}, row {at}: {found_row}\n    pandas has {row}")
    for name, cells, row in headlines(plies, every, with_outcomes):
        with open(report / f"{name}.csv", newline="", encoding="utf-8") as file:
            found = [line[len(cells) :] for line in csv.reader(file) if line[: len(cells)] == cells]
        figures += len(row)
        if len(found) != 1 or not all(map(agrees, found[0], row)):
            wrong.append(f"{name}, {cells}: {found}\n    pandas has {row}")
    print("\n".join(wrong) or f"{figures} figures agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
