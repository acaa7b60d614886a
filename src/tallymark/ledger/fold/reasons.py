"""Why a match is not rated and why a command is refused: closed lists of words, which entries have for ever."""

from enum import StrEnum


class Unrated(StrEnum):
    """Why a match of a ledger is not rated, besides the reasons of replays (`replay.eligibility.NotRated`)."""

    NO_RESULT = "no-result"
    NO_TIME = "no-time"
    FUTURE = "future"
    LATE = "late"
    TOO_LATE = "too-late"
    ONESELF = "oneself"


class Refusal(StrEnum):
    """Why a command did nothing."""

    NO_CORRECTION = "no-correction"
    LATE = "late"
    TOO_LATE = "too-late"
    MERGED = "merged"
    NO_STATE = "no-state"
    RECOMPUTED_POOL = "recomputed-pool"
    POOL_HAS_MATCHES = "pool-has-matches"
    PLAYER_IS_THERE = "player-is-there"
    NO_METHODOLOGY = "no-methodology"
    OTHER_SYSTEM = "other-system"
    OTHER_NUMBERS = "other-numbers"
    OTHER_PERIODS = "other-periods"
    OTHER_AGEING = "other-ageing"
