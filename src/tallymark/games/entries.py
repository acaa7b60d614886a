"""Matches of several players or teams, told one entry a row, as the pairwise games they stand for."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.games import ids
from tallymark.games.byes import reject_nobody
from tallymark.games.checking import check_pools, check_range, check_times, check_whole, check_words, reject_differing
from tallymark.games.choices import Choices
from tallymark.games.coded import Coded
from tallymark.games.columns import Cells
from tallymark.games.decimals import decimals
from tallymark.games.orders import check_order
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.home import check_sides
from tallymark.games.shared_matches import check_shared


def pair_entries(cells: Mapping[str, Cells], findings: Findings, choices: Choices) -> Coded:
    """Every pairing of players (of different teams, where there are teams) in every sound match, by match and player.

    `cells` is by canonical name: player, rank or points (more are better), and perhaps match (else every row of the
    input is one), team, side (home sits before away), played_at, pool, ending, source, steps, order. `findings` is
    about entries; each that stays open is in at least one game.
    """
    match, matches = _matches(cells, findings)
    findings.reject(match < 0, Reason.MISSING_MATCH, lambda _: "match is missing")
    player, players = ids.encode(cells["player"], "player")
    reject_nobody("player", player, players, findings)
    rank = _check_ranks(cells, findings)
    pools, pool = check_pools(cells.get("pool"), findings)
    time = check_times(cells.get("played_at"), findings)
    ending, source = check_words(cells, findings)
    steps = check_whole(cells["steps"], "steps", findings) if "steps" in cells else None
    order = check_order(cells["order"], findings) if "order" in cells else None
    team = None
    if "team" in cells:
        team, _ = ids.encode(cells["team"], "team")
        findings.reject(team < 0, Reason.MISSING_TEAM, lambda _: "team is missing")

    once: dict[str, np.ndarray | None] = {
        "played_at": time,
        "pool": pool,
        "ending": ending,
        "source": source,
        "steps": steps,
        "order": order,
    }
    for name, values in once.items():
        if values is not None:
            reject_differing(match, matches, name, values, findings)
    check_range(time, choices, findings)
    again = check_shared(match, matches, player, rank, findings)
    _reject_repeated(np.where(again, -1, match), matches, player, players, findings)
    if team is not None:
        _reject_uneven(match, matches, team, rank, findings)
    _reject_lonely(match, matches, team, findings)
    if "rank" not in cells:
        _reject_unscored(match, matches, -rank, findings)

    seat = check_sides(cells["side"], findings) if "side" in cells else np.zeros(len(findings), dtype=np.int8)
    first, second = _pairs(match, seat, player, findings.open)
    size_a = size_b = None
    if team is not None:
        apart = team[first] != team[second]
        first, second = first[apart], second[apart]
        sizes = _team_sizes(match, team, findings.open)
        size_a, size_b = sizes[first], sizes[second]

    def take(values: np.ndarray | None) -> np.ndarray | None:
        return None if values is None else values[first]

    score = np.where(rank[first] < rank[second], 1.0, np.where(rank[first] > rank[second], 0.0, 0.5))
    return Coded(
        players=players,
        a=player[first],
        b=player[second],
        score=score,
        pools=pools,
        pool=pool[first],
        row=first,
        time=take(time),
        order=take(order),
        match=match[first],
        matches=matches,
        steps=take(steps),
        ending=take(ending),
        source=take(source),
        size_a=size_a,
        size_b=size_b,
    )


def _matches(cells: Mapping[str, Cells], findings: Findings) -> tuple[NDArray[np.int32], list[ids.Id]]:
    """The match of each entry; where no column says, the row of the input that it is from."""
    if "match" in cells:
        return ids.encode(cells["match"], "match")
    rows = findings.rows_of(np.arange(len(findings), dtype=np.int64))
    return ids.encode(rows, "match")


def _check_ranks(cells: Mapping[str, Cells], findings: Findings) -> NDArray[np.float64]:
    """What orders the entries of a match, the lowest being the best: ranks, or points with their sign turned."""
    name = "rank" if "rank" in cells else "points"
    rank, wrong = decimals(cells[name], name, findings)
    findings.reject(wrong, Reason.BAD_NUMBER, lambda row: f"{name} is {shortened(wrong[row])}, which is not a number")
    findings.reject(np.isnan(rank), Reason.NO_RANK, lambda _: f"{name} is empty: no result")
    findings.reject(np.isinf(rank), Reason.BAD_NUMBER, lambda _: f"{name} is not finite")
    return rank if name == "rank" else -rank


def _reject_repeated(
    match: NDArray[np.int32],
    matches: list[ids.Id],
    player: NDArray[np.int32],
    players: list[ids.Id],
    findings: Findings,
) -> None:
    # An entry with a fault of its own (no rank, say) takes a seat too: the match has its player twice.
    rows = np.flatnonzero((match >= 0) & (player >= 0))
    rows = rows[np.lexsort((player[rows], match[rows]))]
    again = rows[1:][(match[rows[1:]] == match[rows[:-1]]) & (player[rows[1:]] == player[rows[:-1]])]
    who = {int(match[row]): players[player[row]] for row in again[::-1].tolist()}
    findings.reject(
        np.isin(match, list(who)),
        Reason.PLAYER_TWICE,
        lambda row: f"{shortened(who[int(match[row])])} is more than once in match {shortened(matches[match[row]])}",
    )


def _reject_uneven(
    match: NDArray[np.int32],
    matches: list[ids.Id],
    team: NDArray[np.int32],
    rank: NDArray[np.float64],
    findings: Findings,
) -> None:
    rows = np.flatnonzero(findings.open)
    rows = rows[np.lexsort((team[rows], match[rows]))]
    mates = (match[rows[1:]] == match[rows[:-1]]) & (team[rows[1:]] == team[rows[:-1]])
    uneven = np.unique(match[rows[1:][mates & (rank[rows[1:]] != rank[rows[:-1]])]])
    findings.reject(
        np.isin(match, uneven),
        Reason.TEAM_RANKS,
        lambda row: f"members of one team have different ranks in match {shortened(matches[match[row]])}",
    )


def _reject_lonely(
    match: NDArray[np.int32], matches: list[ids.Id], team: NDArray[np.int32] | None, findings: Findings
) -> None:
    rows = np.flatnonzero(findings.open)
    if not len(rows):
        return
    sides = match[rows] if team is None else np.unique(np.stack([match[rows], team[rows]]), axis=1)[0]
    alone = np.bincount(sides, minlength=len(matches)) == 1
    if alone[match[rows]].all():
        findings.notes.append(
            "no match has entries of two players: is match the column that names it, and are all rows there?"
        )
    whom = "no usable entry of another player" if team is None else "no usable entry of another team"
    findings.reject(
        findings.open & (match >= 0) & alone[match],
        Reason.NOBODY_TO_PLAY,
        lambda row: f"match {shortened(matches[match[row]])} has {whom}",
    )


def _reject_unscored(
    match: NDArray[np.int32], matches: list[ids.Id], points: NDArray[np.float64], findings: Findings
) -> None:
    """Matches in which everybody has the same points below 0: so files say that nobody has reported any."""
    rows = np.flatnonzero(findings.open)
    most, least = np.full(len(matches), -np.inf), np.full(len(matches), np.inf)
    np.maximum.at(most, match[rows], points[rows])
    np.minimum.at(least, match[rows], points[rows])
    findings.reject(
        rows[((most == least) & (most < 0))[match[rows]]].tolist(),
        Reason.NO_RANK,
        lambda row: f"all points of match {shortened(matches[match[row]])} are {points[row]:g}: no result",
    )


def _pairs(
    match: NDArray[np.int32], seat: NDArray[np.int8], player: NDArray[np.int32], usable: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Entries of every pair within a match, ordered by match, first player, second player (by seat, then by id)."""
    rows = np.flatnonzero(usable)
    rows = rows[np.lexsort((player[rows], seat[rows], match[rows]))]
    ends = np.searchsorted(match[rows], match[rows], side="right")
    place = np.arange(len(rows))
    partners = ends - place - 1
    first = np.repeat(place, partners)
    before = np.cumsum(partners) - partners
    second = first + 1 + np.arange(len(first)) - np.repeat(before, partners)
    return rows[first], rows[second]


def _team_sizes(match: NDArray[np.int32], team: NDArray[np.int32], usable: NDArray[np.bool_]) -> NDArray[np.int32]:
    """For each entry the number of usable entries of its team in its match."""
    sides = np.stack([match, team], axis=1)
    _, code = np.unique(sides, axis=0, return_inverse=True)
    code = code.reshape(-1)
    return np.bincount(code, weights=usable)[code].astype(np.int32)
