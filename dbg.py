import sys; sys.path[:0]=['/tmp/w4/src','/tmp/w4/tests/replay']
import numpy as np, test_passes as T
from tallymark import *
for name,shape in (("votes","star"),("paper+","random")):
    rng=np.random.default_rng(T.SEED); a,b=T.schedules(3000)[shape]; log=T.log_of(a,b,rng,400*86400)
    rules=methodology("votes") if name=="votes" else methodology("paper").with_(period="match")
    for kept in (True,False):
        o=replay(log,rules,history=kept,predictions=kept,engine="compiled")
        i=replay(log,rules,history=kept,predictions=kept,engine="interpreted")
        with T.plain(): p=replay(log,rules,history=kept,predictions=kept,engine="compiled")
        print(name,kept,o.report==p.report, {c:int((o.ratings[c]!=p.ratings[c]).sum()) for c in o.ratings.columns})
        print({c:int((i.ratings[c]!=p.ratings[c]).sum()) for c in o.ratings.columns})
        if kept:
          h1,h2=o.history,p.history
          for c in h1.columns:
            d=np.flatnonzero(h1[c]!=h2[c])
            if len(d): print(c,len(d),d[:3],[h1[c][k] for k in d[:3]],[h2[c][k] for k in d[:3]])
        if o.report!=p.report: print(o.report.summary()); print(p.report.summary())
