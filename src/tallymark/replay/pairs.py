"""Games of one level, which share no player: blocks of them in columns, a few of them in lanes of one length.

A block is gathered from the players' rows, aged, updated and put back, one stage after the other for both of its sides.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Codes, Floats, Wholes, make_stages, publish_block
from tallymark.replay.columns import NEVER, Clock, Predictions, Shown, Steps, Tally
from tallymark.replay.exact_block import WIDTH, make_exact_update
from tallymark.replay.rows import MARKS, Needs, Rows
from tallymark.replay.sharing import fetch
from tallymark.replay.sides import Block, Level, Side
from tallymark.systems import Constants, Formulas

LANES: Final = 16
"""Sides that are rated at once where a level has few games: two of the widest registers."""
_PART: Final = BLOCK // 4
"""Games whose rows are fetched at once: memory takes only so many requests."""

Pairs: TypeAlias = Callable[..., None]


def make_pairs(run: Formulas, grows_first: bool, needs: Needs) -> tuple[Callable[[], Block], Pairs, Pairs]:
    """The columns of a block, the rating of a stretch of a level, and of levels of a few games each.

    Over one system's formulas; what a replay does not need is not in the code.
    """
    aged, weights, sums, settled, limited, tallied, predicted = make_stages(run, grows_first)
    _, weights_of, sums_of, settled_of, limited_of, _, _ = make_stages(run, grows_first, pasted=True)
    timed, counting, predicting, recording = needs.timed, needs.counting, needs.predicting, needs.recording
    publishing, excepting, exact, starting = needs.publishing, needs.excepting, needs.exact, needs.starting
    updated_exactly = make_exact_update(needs, tallied)
    variant = named_after(run, grows_first, *needs)

    @formula(inline=False, allocates=True)
    @variant
    def side() -> Side:
        v = np.ones((17, BLOCK))
        v[9, :] = 0.0
        i = np.empty((4, BLOCK), np.int64)
        own, seen, ahead, elapsed = (v[3], v[4], v[5], v[6]) if timed else (v[1], v[1], v[1], v[6])
        ahead = seen if exact else ahead
        return Side(
            v[0], v[1], v[2], own, seen, ahead, elapsed, v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15],
            v[16], i[0], i[1], i[2], i[3],
        )  # fmt: skip

    @formula(inline=False, allocates=True)
    @variant
    def block() -> Block:
        v = np.ones((3, BLOCK))
        lanes = np.ones((16, LANES))
        lanes[12, :] = 0.0
        now, may, flags = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(LANES, np.int64)
        whole = np.ones(WIDTH * BLOCK if exact else 0, np.int64)
        return Block(side(), side(), now, may, v[0], v[1], v[2], lanes, flags, whole)

    @formula(inline=True)
    @variant
    def gathered(n: int, low: int, order: Codes, players: Codes, start: Floats, rows: Rows, side: Side) -> None:
        """The players' rows as columns."""
        for i in range(n):
            x = players[order[low + i]]
            side.mu[i] = rows.state[x, 0]
            side.phi2[i] = rows.state[x, 1]
            side.sigma2[i] = rows.state[x, 2]
            if timed:
                side.last[i] = rows.last[x, 3]
            if starting and side.last[i] == NEVER:
                side.mu[i] = start[order[low + i]]
            if counting:
                c = rows.counts
                side.before[i] = float(c[x, 0] + c[x, 1] + c[x, 2] + c[x, 3])
            if publishing:
                side.marks[i] = rows.counts[x, MARKS]
                side.peak[i] = rows.peaks[x, 3]

    @formula(inline=True)
    @variant
    def told(n: int, low: int, games: Level, block: Block) -> None:
        """What the games say."""
        for i in range(n):
            at = games.order[low + i]
            s = games.s[at]
            block.a.score[i] = s
            block.b.score[i] = 1.0 - s
            if timed:
                block.now[i] = games.when[at]
            if excepting:  # a winner of a game that counts for the loser only is aged, nothing else
                block.a.counts[i] = int(games.loser_only[at] == 0 or s <= 0.5)
                block.b.counts[i] = int(games.loser_only[at] == 0 or s >= 0.5)
            if publishing:
                block.may[i] = int(len(games.peak) == 0 or games.peak[at] > 0)
                if excepting and games.loser_only[at] > 0:
                    block.may[i] = 0

    @formula(inline=True)
    @variant
    def updated(n: int, one: Side, other: Side, ones: Floats, tally: Tally, k: Constants, limits: Limits) -> None:
        """One side after its games."""
        sums(n, one.mu, other.mu, other.g, one.score, other.score, ones, one.w, one.u, k)
        tally.unconverged[0] += settled(
            n, n, one.mu, one.own, one.sigma2, one.w, one.u, one.elapsed, one.before, one.new_mu, one.new_phi2,
            one.new_sigma2, one.doubt, k,
        )  # fmt: skip
        if excepting:
            for i in range(n):
                if one.counts[i] == 0:
                    one.new_mu[i] = one.mu[i]
                    one.new_phi2[i] = one.ahead[i]
                    one.new_sigma2[i] = one.sigma2[i]
        if limited(n, one.mu, one.own, one.sigma2, one.new_mu, one.new_phi2, one.new_sigma2, one.flags, limits):
            tallied(n, one.flags, tally.clamps)

    @formula(inline=True)
    @variant
    def put_back(n: int, low: int, order: Codes, players: Codes, rows: Rows, side: Side, now: Wholes) -> None:
        """The columns as the players' rows."""
        for i in range(n):
            x = players[order[low + i]]
            rows.state[x, 0] = side.new_mu[i]
            rows.state[x, 1] = side.new_phi2[i]
            rows.state[x, 2] = side.new_sigma2[i]
            counts = side.counts[i] > 0 if excepting else True
            if timed and (counts or side.last[i] != NEVER):  # who did not count has a time only if one before
                rows.last[x, 3] = now[i] if now[i] > side.last[i] else side.last[i]
            if counting:
                below = int(side.score[i] <= 0.5) + int(side.score[i] < 0.5)
                rows.counts[x, below] += np.int32(counts)
            if publishing and counts:
                rows.counts[x, MARKS] = np.int32(side.marks[i])
                rows.peaks[x, 3] = side.peak[i]

    @formula(inline=True)
    @variant
    def recorded(n: int, low: int, games: Level, side: Side, which: int, steps: Steps) -> None:
        """The columns as rows of the history."""
        for i in range(n):
            row = 2 * (games.first + games.order[low + i]) + which
            steps.mu_before[row] = side.mu[i]
            steps.phi2_before[row] = side.seen[i]
            steps.sigma2_before[row] = side.sigma2[i]
            steps.mu_after[row] = side.new_mu[i]
            steps.phi2_after[row] = side.new_phi2[i]
            steps.sigma2_after[row] = side.new_sigma2[i]
            steps.flags[row] = side.flags[i]
            steps.converged[row] = 0 if side.doubt[i] == 2.0 else 1

    @formula(inline=True)
    @variant
    def fetched(low: int, high: int, games: Level, rows: Rows) -> None:
        """Asks for the rows of games that come next."""
        for i in range(min(low, len(games.a)), min(high, len(games.a))):
            x = games.a[games.order[i]]
            y = games.b[games.order[i]]
            fetch(rows.state, x)
            fetch(rows.state, y)
            if publishing:
                fetch(rows.peaks, x)
                fetch(rows.peaks, y)

    @formula(inline=True)
    @variant
    def updated_in_doubles(
        n: int,
        low: int,
        games: Level,
        rows: Rows,
        block: Block,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """Both sides after their games, stage by stage; between them the rows of the next block are asked for."""
        a, b = block.a, block.b
        if timed:
            aged(n, a.mu, a.phi2, a.sigma2, a.last, block.now, a.own, a.seen, a.ahead, a.elapsed, k, limits, clock)
            aged(n, b.mu, b.phi2, b.sigma2, b.last, block.now, b.own, b.seen, b.ahead, b.elapsed, k, limits, clock)
        if predicting:
            predicted(n, a.mu, b.mu, a.ahead, b.ahead, block.logit, block.p, k)
        fetched(low + n, low + n + _PART, games, rows)
        weights(n, a.seen, a.g)
        weights(n, b.seen, b.g)
        fetched(low + n + _PART, low + n + 2 * _PART, games, rows)
        updated(n, a, b, block.ones, tally, k, limits)
        fetched(low + n + 2 * _PART, low + n + BLOCK, games, rows)
        updated(n, b, a, block.ones, tally, k, limits)

    @formula(inline=False)
    @variant
    def play(
        low: int,
        high: int,
        games: Level,
        rows: Rows,
        block: Block,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
        shown: Shown,
    ) -> None:
        """Games low..high of the window's order, none of which share a player."""
        a, b = block.a, block.b
        while low < high:
            n = min(BLOCK, high - low)
            gathered(n, low, games.order, games.a, games.start_a, rows, a)
            gathered(n, low, games.order, games.b, games.start_b, rows, b)
            told(n, low, games, block)
            if exact:
                fetched(low + n, low + n + BLOCK, games, rows)
                updated_exactly(n, block, tally)
            else:
                updated_in_doubles(n, low, games, rows, block, tally, k, limits, clock)
            if publishing:
                if shown.peak_games > 0.0:
                    least, most = shown.peak_games, shown.peak_phi2
                    for i in range(n):
                        settled_a = (a.before[i] >= least) & (a.seen[i] <= most)
                        settled_b = (b.before[i] >= least) & (b.seen[i] <= most)
                        block.may[i] = block.may[i] if settled_a & settled_b else 0
                publish_block(n, a.new_mu, a.new_phi2, a.score, block.may, a.marks, a.peak, shown)
                publish_block(n, b.new_mu, b.new_phi2, b.score, block.may, b.marks, b.peak, shown)
            put_back(n, low, games.order, games.a, rows, a, block.now)
            put_back(n, low, games.order, games.b, rows, b, block.now)
            if predicting:
                for i in range(n):
                    at = games.first + games.order[low + i]
                    predictions.logit[at] = block.logit[i]
                    predictions.p[at] = block.p[i]
            if recording:
                recorded(n, low, games, a, 0, steps)
                recorded(n, low, games, b, 1, steps)
            low += n

    @formula(inline=False)
    @variant
    def narrow(
        first: int,
        last: int,
        start: Wholes,
        games: Level,
        rows: Rows,
        block: Block,
        tally: Tally,
        k: Constants,
        limits: Limits,
    ) -> None:
        """Levels first..last, where only states are asked for: both sides of a few games at once, in all lanes."""
        c, flags, state = block.lanes, block.lane_flags, rows.state
        mu, phi2, sigma2, mu_other, phi2_other, g = c[0], c[1], c[2], c[3], c[4], c[5]
        score, other_score, w, u, doubt, ones, zeros = c[6], c[7], c[8], c[9], c[10], c[11], c[12]
        new_mu, new_phi2, new_sigma2 = c[13], c[14], c[15]
        capped = 0
        for d in range(first, last):
            for low in range(start[d], start[d + 1], LANES // 2):
                n = min(LANES // 2, start[d + 1] - low)
                for i in range(n):
                    at = games.order[low + i]
                    for side in range(2):
                        x = games.b[at] if side else games.a[at]
                        y = games.a[at] if side else games.b[at]
                        j = 2 * i + side
                        mu[j] = state[x, 0]
                        phi2[j] = state[x, 1]
                        sigma2[j] = state[x, 2]
                        mu_other[j] = state[y, 0]
                        phi2_other[j] = state[y, 1]
                        score[j] = 1.0 - games.s[at] if side else games.s[at]
                        other_score[j] = games.s[at] if side else 1.0 - games.s[at]
                weights_of(LANES, phi2_other, g)
                sums_of(LANES, mu, mu_other, g, score, other_score, ones, w, u, k)
                capped += settled_of(
                    LANES, 2 * n, mu, phi2, sigma2, w, u, ones, zeros, new_mu, new_phi2, new_sigma2, doubt, k
                )
                if limited_of(LANES, mu, phi2, sigma2, new_mu, new_phi2, new_sigma2, flags, limits):
                    tallied(2 * n, flags, tally.clamps)
                for i in range(n):
                    at = games.order[low + i]
                    for side in range(2):
                        x = games.b[at] if side else games.a[at]
                        j = 2 * i + side
                        state[x, 0] = new_mu[j]
                        state[x, 1] = new_phi2[j]
                        state[x, 2] = new_sigma2[j]
        tally.unconverged[0] += capped

    return block, play, narrow
