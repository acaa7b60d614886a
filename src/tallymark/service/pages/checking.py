"""How a stranger checks an entry: the commands, for this very site."""

from typing import NamedTuple

from tallymark.service.pages.links import api, pool_path


class Check(NamedTuple):
    """What a command shows, and the command."""

    words: str
    command: str


def checks(site: str, pool: str, position: int | None) -> list[Check]:
    """Commands that check an entry, and all of its pool. `site`: where it is served, with a slash at the end."""
    path = f"{site.rstrip('/')}{api(pool_path(pool))}"
    recount = Check(
        "Fetch the whole stream, and rate every match again: each byte has to come out the same.",
        f"curl -o pool.tally '{path}/export'\ntallymark verify pool.tally",
    )
    if position is None:
        return [recount]
    before = f"bytes.fromhex(get({position - 1})['hash'])" if position > 1 else "bytes(32)"
    script = (
        "import hashlib, json, urllib.request as u\n"
        f"get = lambda n: json.load(u.urlopen(f'{path}/entries/{{n}}'))\n"
        f"before, entry = {before}, get({position})\n"
        "print(hashlib.sha256(before + entry['body'].encode()).hexdigest() == entry['hash'])"
    )
    link = Check(
        "The hash of an entry covers the hash before it and the entry's own bytes. In Python, with nothing but what "
        "comes with it:",
        script,
    )
    return [link, recount]
