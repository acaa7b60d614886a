import sys, time; sys.path.insert(0,'/tmp/w4/src')
import numpy as np
import tallymark as tm
from tallymark import GameLog, replay
from tallymark.replay.waves import make_waves
from tallymark.replay.rows import rows_of
from tallymark.replay.columns import filled, Predictions, Steps, Tally, Players
from tallymark.replay.compiled import compiled
from tallymark.replay.clock import clock_of
rng=np.random.default_rng(1)
P,N=100_000,int(sys.argv[1]) if len(sys.argv)>1 else 1_000_000
a=rng.integers(0,P,N); b=(a+1+rng.integers(0,P-1,N))%P
s=rng.choice([0.,.5,1.],N)
at=np.sort(rng.integers(0,400*86400,N))
a4,b4=a.astype(np.int32),b.astype(np.int32)
for name,period,timed,counting,pred,rec in [("go-float-v2",None,True,False,False,False),][:1] or [("paper","match",False,False,False,False),("paper","match",False,False,True,True),("go-float-v2",None,True,False,False,False),("go-float-v2",None,True,False,True,True),("lichess-1",None,True,False,True,False),("elo-1","match",False,True,True,True)]:
    m=tm.methodology(name); m=m.with_(period=period) if period else m
    waves=compiled(make_waves(m.system.formulas, m.system.grows_first, timed, counting, pred, rec))
    st=m.system.state(m.system.initial()); k=m.system.constants(m.limits.rating_steps)
    def go(n=N):
        pl=filled(Players,P); pl.mu[:]=st.mu; pl.phi2[:]=st.phi2; pl.sigma2[:]=st.sigma2
        rows=rows_of(pl); P_=filled(Predictions,n if pred else 0); S=filled(Steps,2*n if rec else 0); T=Tally(np.zeros(5,np.int64),np.zeros(1,np.int64))
        t=time.perf_counter(); waves(0,n,a4[:n],b4[:n],s[:n],(at*10**6)[:n],rows,P_,S,T,k,m.limits,clock_of(m),1<<16); return time.perf_counter()-t, rows,P_,S,T
    t=time.perf_counter(); go(1000); print(name,"compile",time.perf_counter()-t)
    ts=[go()[0] for _ in range(4)]; print(min(ts), N/min(ts)/1e6,"M/s")
    _,rows,P_,S,T=go()
    if N<=1_000_000:
        log=GameLog.from_arrays(player_a=a,player_b=b,score_a=s,played_at=at)
        r=replay(log,m,engine="compiled",predictions=pred,history=rec)
        p=r._machine.players; o=r._schedule.order
        print((p.mu==rows.state[:,0]).all(), (p.phi2==rows.state[:,1]).all(), (p.sigma2==rows.state[:,2]).all(), (p.wins==rows.counts[:,0]).all(), (p.last==rows.last[:,3]).all(),
          pred and (r._predictions.logit==P_.logit).all(), rec and all((x==y).all() for x,y in zip(r._steps,S)), T.clamps, r.report.clamped)
