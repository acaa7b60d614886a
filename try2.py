import sys, time; sys.path.insert(0,'/tmp/w4/src')
import numpy as np
import tallymark as tm
from tallymark import GameLog, replay
from tallymark.replay.sheets import make_sheets
from tallymark.replay.rows import rows_of
from tallymark.replay.columns import filled, Predictions, Steps, Tally, Players
from tallymark.replay.compiled import compiled
from tallymark.replay.clock import clock_of
rng=np.random.default_rng(1)
P,N,U=int(sys.argv[1]),int(sys.argv[2]),int(sys.argv[3])
a=rng.integers(0,P,N); b=(a+1+rng.integers(0,P-1,N))%P
s=rng.choice([0.,.5,1.],N)
a4,b4=a.astype(np.int32),b.astype(np.int32)
start=np.linspace(0,N,U+1).astype(np.int64); when=np.arange(U)
day=np.repeat(np.arange(U),np.diff(start))
for name,timed,counting,pred,rec in [("paper",True,False,False,False),("paper",True,False,True,True),("glicko-1",True,False,False,False),("elo-1",False,True,True,True)]:
    m=tm.methodology(name).with_(period="1d")
    f=compiled(make_sheets(m.system.formulas, m.system.grows_first, timed, counting, pred, rec)[0])
    st=m.system.state(m.system.initial()); k=m.system.constants(m.limits.rating_steps)
    def go(n=N):
        pl=filled(Players,P); pl.mu[:]=st.mu; pl.phi2[:]=st.phi2; pl.sigma2[:]=st.sigma2
        rows=rows_of(pl); P_=filled(Predictions,n if pred else 0); S=filled(Steps,2*n if rec else 0); T=Tally(np.zeros(5,np.int64),np.zeros(1,np.int64))
        from tallymark.replay.sheets import paper,Told; paper_=paper(P,N,pred,rec)
        t=time.perf_counter(); f(0,U,Told(a4,b4,s,np.empty(0),np.empty(0,np.int64),np.empty(0,np.int32)),start,when,rows,paper_,P_,S,T,k,m.limits,clock_of(m)); return time.perf_counter()-t, rows,P_,S,T
    t=time.perf_counter(); go(); print(name,"compile",time.perf_counter()-t)
    ts=[go()[0] for _ in range(4)]; print(min(ts), N/min(ts)/1e6,"M/s")
    _,rows,P_,S,T=go()
    if N<=1_000_000:
        log=GameLog.from_arrays(player_a=a,player_b=b,score_a=s,played_at=day*86400)
        r=replay(log,m,engine="compiled",predictions=pred,history=rec)
        p=r._machine.players
        print((p.mu==rows.state[:,0]).all(), (p.phi2==rows.state[:,1]).all(), (p.sigma2==rows.state[:,2]).all(), (p.wins==rows.counts[:,0]).all(), (p.last==rows.last[:,3])[p.rated>0].all(),
          pred and (r._predictions.logit==P_.logit).all(), rec and all((x==y).all() for x,y in zip(r._steps,S)), T.clamps, r.report.clamped)
