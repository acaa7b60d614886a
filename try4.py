import sys, time; sys.path.insert(0,'/tmp/w4/src')
import numpy as np, tallymark as tm
from tallymark import GameLog, replay
rng=np.random.default_rng(1)
P,N=100_000,5_000_000
a=rng.integers(0,P,N); b=(a+1+rng.integers(0,P-1,N))%P
s=rng.choice([0.,.5,1.],N)
for kind in ("match","calendar"):
    if kind=="calendar": P=1_000_000; a=rng.integers(0,P,N); b=(a+1+rng.integers(0,P-1,N))%P
    m=tm.methodology("paper").with_(period="match" if kind=="match" else "30d")
    at=np.sort(rng.integers(0,20*86400,N)) if kind=="calendar" else None
    for _ in range(3):
        t0=time.perf_counter(); log=GameLog.from_arrays(player_a=a,player_b=b,score_a=s,**({} if at is None else {"played_at":at}))
        t1=time.perf_counter(); r=replay(log,m,engine="compiled"); t2=time.perf_counter(); tab=r.ratings; t3=time.perf_counter()
        print(kind, "from_arrays %.3f replay %.3f table %.3f"%(t1-t0,t2-t1,t3-t2))
