import sys; sys.path[:0]=['/tmp/w4/src']
from numba.core.serialize import dumps
import hashlib
from tallymark import methodology
from tallymark.replay.waves import make_waves
def cells(f): return {n:c.cell_contents for n,c in zip(f.__code__.co_freevars,f.__closure__)}
ws=[make_waves(methodology(n).system.formulas, False, False, False, True, True) for n in ("votes","paper","votes")]
for w in ws:
    c=cells(w); print(list(c)); print([hashlib.sha256(dumps(v)).hexdigest()[:8] for v in c.values()], hashlib.sha256(dumps(tuple(w.__closure__[i].cell_contents for i in range(len(w.__closure__))))).hexdigest()[:8])
    p=cells(c['play']); print(list(p)); s=cells(p['settled']); print(s)
