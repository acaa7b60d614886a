"""Which games of a log a methodology rates, and why not the others. A closed list of reasons; every game has one."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.games import Ending, GameLog, Source
from tallymark.methodology import Methodology


class NotRated(StrEnum):
    """Why a game that was accepted into the log is not rated."""

    ENDING = "ending"
    SOURCE = "source"
    DRAW = "draw"
    SHORT = "short"
    HANDICAP = "handicap"
    BOARD = "board"
    KOMI = "komi"
    SCORE = "score"
    INSTANT = "instant"
    TEAMS = "teams"
    UNEQUAL_TEAMS = "unequal-teams"
    LATE = "late"


REASONS: tuple[NotRated, ...] = tuple(NotRated)

_RATED = -1


class Eligibility(NamedTuple):
    """One entry a game of the log: the reason's place in `REASONS` or -1, and whether only the loser is rated.

    None where every game is rated, and where both players of every game are.
    """

    reason: NDArray[np.int8] | None
    loser_only: NDArray[np.bool_] | None


def eligibility(log: GameLog, methodology: Methodology) -> Eligibility:
    """The methodology's `rated` section applied to every game; the first reason that holds is the one given."""
    rules = methodology.rated
    reasons: list[tuple[NotRated, NDArray[np.bool_]]] = []
    loser_only: NDArray[np.bool_] | None = None

    def refuse(games: NDArray[np.bool_], why: NotRated) -> None:
        if games.any():
            reasons.append((why, games))

    if log.ending is not None:
        rated = [Ending(word).code for word in rules.endings] + [_RATED]
        refuse(~np.isin(log.ending, rated), NotRated.ENDING)
    if log.source is not None:
        rated = [Source(word).code for word in rules.sources] + [_RATED]
        refuse(~np.isin(log.source, rated), NotRated.SOURCE)
    if log.size_a is not None and log.size_b is not None:
        if rules.teams == "refuse":
            refuse((log.size_a > 1) | (log.size_b > 1), NotRated.TEAMS)
        if not rules.unequal_teams:
            refuse(log.size_a != log.size_b, NotRated.UNEQUAL_TEAMS)
    if rules.even_games and log.handicap is not None:
        refuse(log.handicap > 0, NotRated.HANDICAP)
    board = np.full(len(log), -1, np.int32) if log.board is None else log.board
    if rules.boards:
        refuse((board >= 0) & ~np.isin(board, rules.boards), NotRated.BOARD)
    if rules.komi and log.komi is not None:
        right = np.isnan(log.komi)
        for lines, komi in rules.komi.items():  # of a game that does not tell its board, the komi of any will do
            right |= ((board == lines) | (board < 0)) & (log.komi == komi)
        refuse(~right, NotRated.KOMI)
    if methodology.numbers.exact:  # what a contract takes
        refuse(~np.isin(log.score, (0.0, 0.5, 1.0)), NotRated.SCORE)
        if log.time is not None:
            refuse(log.time < 0, NotRated.INSTANT)
    if not rules.draws:
        refuse(_drawn(log), NotRated.DRAW)
    if rules.minimum_steps > 0 and log.steps is not None:
        short = (log.steps >= 0) & (log.steps < rules.minimum_steps)
        if rules.short_loss and log.ending is not None:
            counted = np.isin(log.ending, [Ending(word).code for word in rules.short_loss])
            loser_only = short & counted & ~_drawn(log)
        refuse(short if loser_only is None else short & ~loser_only, NotRated.SHORT)
    reason = None
    if reasons:
        reason = np.full(len(log), _RATED, np.int8)
        for why, games in reversed(reasons):  # the first one stays
            reason[games] = REASONS.index(why)
    if loser_only is not None and reason is not None:
        loser_only &= reason == _RATED
    return Eligibility(reason, loser_only if loser_only is not None and loser_only.any() else None)


def _drawn(log: GameLog) -> NDArray[np.bool_]:
    drawn: NDArray[np.bool_] = (log.score > 0.0) & (log.score < 1.0)
    return drawn
