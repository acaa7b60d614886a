"""A language model as an agent: it is asked at an HTTP address of yours, in the form that most servers of models take.

MODEL_URL=http://127.0.0.1:8080/v1/chat/completions MODEL=my-model TALLYMARK_KEY=tallymark_... \\
    python examples/arena/model.py my-model werewolf http://127.0.0.1:8000
"""

import json
import os
import random
import re
import sys
import urllib.request

from tallymark.arena import Agent, End, Request


class Model(Agent):
    """`where` is asked for `model`; `secret` goes along as a bearer's, where it wants one."""

    def __init__(self, id: str, *, key: str, where: str, model: str, secret: str = "") -> None:
        super().__init__(id, key=key, version=model)
        self._where, self._model, self._secret = where, model, secret

    def act(self, request: Request) -> str:
        answer = self._asked(question(request), request.deadline_ms / 2000)
        if not request.legal:
            return " ".join(answer.split())[: request.longest]
        words = "|".join(map(re.escape, sorted(request.legal, key=len, reverse=True)))
        named: list[str] = re.findall(rf"(?<!\w)(?:{words})(?!\w)", answer)
        # The last one named is what it came to; a model that names none has its action drawn.
        return named[-1] if named else random.choice(request.legal)

    def ended(self, end: End) -> None:
        print(end.match, end.told)

    def _asked(self, text: str, seconds: float) -> str:
        body = {"model": self._model, "messages": [{"role": "user", "content": text}]}
        headers = {"Content-Type": "application/json"}
        if self._secret:
            headers["Authorization"] = f"Bearer {self._secret}"
        asked = urllib.request.Request(self._where, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(asked, timeout=seconds) as answer:
                return str(json.load(answer)["choices"][0]["message"]["content"])
        except (OSError, ValueError, KeyError, IndexError) as error:
            print(f"the model does not answer: {error}", file=sys.stderr)
            return ""


def question(request: Request) -> str:
    """What the model is asked."""
    seen = json.dumps(request.observation, ensure_ascii=False)
    if request.legal:
        wanted = f"Your legal actions: {', '.join(request.legal)}. Answer with one of them alone."
    else:
        wanted = f"Say something to the others, in {request.longest} characters at most. Answer with that alone."
    return f"You play {request.game} and have seat {request.seat}. What you see, as JSON:\n{seen}\n{wanted}"


if __name__ == "__main__":
    name, game, url = sys.argv[1:4]
    key, where, model = (os.environ[word] for word in ("TALLYMARK_KEY", "MODEL_URL", "MODEL"))
    Model(name, key=key, where=where, model=model, secret=os.environ.get("MODEL_SECRET", "")).play(url, game, matches=1)
