"""The evidence about go-onchain-v2: what its integers cost against floats, what rounding buys, what other rules would.

`comparing` replays a log in several arithmetics side by side, `variants` are the ones that nobody else runs,
`differing` measures how far apart they are, and `charting` draws it.
"""

from tallymark.evidence.exactness.comparing import exactness
from tallymark.evidence.exactness.differing import Difference
from tallymark.evidence.exactness.result import Exactness

__all__ = ["Difference", "Exactness", "exactness"]
