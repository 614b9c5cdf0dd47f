"""Tables of `facedown analyze exposure` by DuckDB, to hold the time it takes against.

    exposure_sql.py DATA THREADS

Prints the seconds that the query took and its figures over all players: table, row, mean, observations, games, and
the standard error between games. Not asked of DuckDB: the tables that follow a game from ply to ply (swings, results
less luck), and the checks that every row makes sense.
"""

import sys
import time
from pathlib import Path

import duckdb

QUERY = """
with positions as (
    select game_id, ply, seat, phase, audited,
        list_filter(candidates, lambda c: audited or c.visits >= 4) as moves
    from '{plies}' where audited or full_search
),
judged as (
    select *,
        list_max(list_transform(moves, lambda c: c.q::float)) as best,
        list_max([c.q::float for c in moves if c.kind = 'flip' and c.attackers > 0]) as controlled,
        list_max([c.q::float for c in moves if c.kind = 'flip' and c.attackers = 0]) as free
    from positions
),
flips as (
    select * exclude (move), move.move as name, move.kind as kind, least(move.attackers, 2) as attackers,
        least(move.defenders, 2) as defenders, move.risk::float as risk, move.q::float as q,
        move.q_again::float as again, move.least_attacker as least_attacker
    from (select game_id, ply, seat, phase, audited, best, len(moves) as count,
        unnest(list_filter(moves, lambda c: starts_with(c.kind, 'flip'))) as move from judged)
),
scored as (
    select game_id, ply, max_by(again, q) as one, max_by(q, again) as other
    from flips where audited and kind = 'flip' and attackers = 0 and again is not null group by all
),
priced as (
    select flips.*, 50 * ((q + again) - (one + other)) / 2 as price
    from flips join scored using (game_id, ply)
    where audited and kind = 'flip' and attackers > 0 and again is not null
),
played as (
    select game_id, kind || '/' || least(attackers, 2) || '/' || least(defenders, 2) as cell,
        50 * (next_value - value) as change, (coalesce(lost_in, 99) <= 2)::int as lost, risk
    from '{plies}' where starts_with(kind, 'flip') and not explored
),
cells as (
    select 'price' as name, 'all' as cell, game_id, price as x from priced
    union all select 'price by phase', phase, game_id, price from priced
    union all select 'price by least attacker', least_attacker, game_id, price from priced
    union all select 'price by role', name[1:2] || seat, game_id, price from priced
    union all select 'price by defended', (defenders > 0)::text, game_id, price from priced
    union all select 'contrast', audited || '/' || phase, game_id, 50 * (controlled - free)
        from judged where controlled is not null and free is not null
    union all select 'candidates', kind || '/' || audited || '/' || attackers || '/' || defenders, game_id,
        50 * (q - best) from flips where count > 1
    union all select 'risk', kind || '/' || audited || '/' || attackers || '/' || defenders, game_id, risk
        from flips where count > 1
    union all select 'from', name[1:2] || seat, game_id, 50 * (q - best) from flips where count > 1 and kind = 'flip'
    union all select 'to', name[3:4] || seat, game_id, 50 * (q - best) from flips where count > 1 and kind = 'flip'
    union all select 'played', cell, game_id, change from played
    union all select 'lost', cell, game_id, lost from played
    union all select 'played risk', cell, game_id, risk from played
),
games as (select name, cell, game_id, sum(x) as x, count(*) as n from cells group by all),
sums as (
    select name, cell, sum(x) as x, sum(n) as n, sum(x * x) as xx, sum(x * n) as xn, sum(n * n) as nn, count(*) as games
    from games group by all
)
select name, cell, x / n, n::bigint, games, sqrt(greatest(xx - 2 * x / n * xn + x * x / n / n * nn, 0)) / n
from sums order by all
"""


def main(data, threads):
    connection = duckdb.connect(config={"threads": threads})
    begun = time.perf_counter()
    rows = connection.execute(QUERY.format(plies=data / "plies" / "*.parquet")).fetchall()
    print(f"{time.perf_counter() - begun:.2f} s")
    for row in rows:
        print(*row, sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
