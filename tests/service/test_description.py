"""The description of the API is one: made, complete, and with names that stay."""

from clubs import Club


def test_the_description_is_made(club: Club) -> None:
    answer = club.client.get("/v1/openapi.json")
    assert answer.status_code == 200
    operations = [one for path in answer.json()["paths"].values() for one in path.values()]
    names = [one["operationId"] for one in operations]
    assert len(names) == len(set(names))
    assert {"putMatch", "putVote", "openBallot", "flag", "act", "streamEntries"} <= set(names)
    for one in operations:
        assert one["summary"], one["operationId"]
        assert "429" in one["responses"], one["operationId"]
