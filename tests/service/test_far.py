"""What is far off, or cannot be asked for, is a plain answer and no defect: on either store."""

from pathlib import Path

from clubs import opened

_FAR = ("9223372036854775806", "9223372036854775807", "9" * 30)
_REFUSED = (
    *(
        f"{board}at={at}"
        for board in ("/v1/pools/chess/boards/{}?", "/pools/chess?window={}&")
        for at in ("9999-12-31", "0001-01-01", "9999-12-31T23:59:59.999999Z")
    ),
)


def test_far_off_is_refused_or_empty(ledger_url: str, tmp_path: Path) -> None:
    with opened(tmp_path, ledger_url) as club:
        club.played("m1", "ann", "bob", 1)

        def status(path: str) -> int:
            return club.client.get(path, headers=club.by("admin")).status_code

        for far in _FAR:
            assert club.client.get(f"/v1/pools/chess/entries?after={far}").json()["entries"] == []
            for path in (
                f"/v1/pools/chess/entries/{far}",
                f"/v1/pools/chess/methodologies/{far}",
                f"/v1/pools/chess/ratings?as_of={far}",
                f"/v1/pools/chess/boards/rolling?days={far}",
                f"/pools/chess/entries/{far}",
            ):
                assert status(path) in (400, 404, 422), path
            for path in (
                f"/v1/pools/chess/ratings?after={far}",
                f"/v1/pools/chess/items?after={far}",
                f"/v1/pools/chess/players/ann/history?before={far}",
                f"/v1/pools/chess/head-to-head?a=ann&b=bob&before={far}",
                f"/pools/chess/players/ann?before={far}",
                f"/pools/chess/players/ann/against/bob?before={far}",
            ):
                assert status(path) == 200, path
        for path in _REFUSED:
            for window in ("week", "month"):
                assert status(path.format(window)) == 400, path
        for path in (
            "/v1/pools/chess/boards/all-time?search=%00",
            "/v1/pools/chess/boards/week?search=a%00b",
            "/pools/chess?search=%00",
            "/v1/pools/chess/boards/all-time?around=%00",
            "/v1/pools/chess/boards/all-time?after=%00",
        ):
            assert status(path) == 400, path
        assert status("/v1/cases?pool=%00") == 404
        for path in ("/pools/chess?window=month&at=0001-02-15", "/pools/chess?window=week&at=9999-11-20"):
            assert status(path) == 200, path
