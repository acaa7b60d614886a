"""A game log through a methodology: by period, by match, by game, resumed. One fold, interpreted or compiled."""

from tallymark.replay.initial import InitialRatings, read_ratings
from tallymark.replay.predicting import predict
from tallymark.replay.replaying import replay
from tallymark.replay.report import ReplayReport
from tallymark.replay.result import Replay
from tallymark.replay.snapshot import Snapshot

__all__ = ["InitialRatings", "Replay", "ReplayReport", "Snapshot", "predict", "read_ratings", "replay"]
