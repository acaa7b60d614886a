import sys, time; sys.path.insert(0,'/tmp/w4/src')
import numpy as np
import tallymark as tm
from tallymark import GameLog, replay
from tallymark.replay.sheets import make_sheets, paper, Told
from tallymark.replay.rows import rows_of
from tallymark.replay.columns import filled, Predictions, Steps, Tally, Players
from tallymark.replay.compiled import compiled
from tallymark.replay.clock import clock_of
rng=np.random.default_rng(1)
for name,period,levels,timed,counting,pred,rec in [("paper","1d",False,True,False,False,False),("paper","match",True,False,False,True,True),("paper","1d",True,True,False,True,True),("elo-1","match",True,False,True,True,True),("votes-v1","match",True,False,False,True,True)]:
    P,M=5000,60000
    match=np.repeat(np.arange(M),4); player=np.concatenate([rng.permutation(P)[:4] for _ in range(M)]); rank=rng.integers(1,4,4*M)
    at=np.repeat(np.sort(rng.integers(0,100*86400,M)),4)
    log=GameLog.from_entries(match=match,player=player,rank=rank,played_at=at)
    m=tm.methodology(name).with_(period=period)
    r=replay(log,m,engine="compiled",predictions=pred,history=rec)
    sc=r._schedule; g=sc.games; N=len(g.a)
    f=make_sheets(m.system.formulas, m.system.grows_first, timed, counting, pred, rec)[1 if levels else 0]
    f=compiled(f)
    P=len(log.players); st=m.system.state(m.system.initial()); k=m.system.constants(m.limits.rating_steps)
    def go():
        pl=filled(Players,P); pl.mu[:]=st.mu; pl.phi2[:]=st.phi2; pl.sigma2[:]=st.sigma2
        rows=rows_of(pl); P_=filled(Predictions,N if pred else 0); S=filled(Steps,2*N if rec else 0); T=Tally(np.zeros(5,np.int64),np.zeros(1,np.int64))
        told=Told(g.a.astype(np.int32),g.b.astype(np.int32),g.s,g.share if name=="elo-1" else np.empty(0),np.empty(0,np.int64),np.empty(0,np.int32))
        pp=paper(P,N,pred,rec)
        t=time.perf_counter(); f(0,len(sc.units.when),told,sc.units.start,sc.units.when,rows,pp,P_,S,T,k,m.limits,clock_of(m)); return time.perf_counter()-t, rows,P_,S,T
    t=time.perf_counter(); go(); print(name,"compile",time.perf_counter()-t)
    ts=[go()[0] for _ in range(3)]; print(min(ts), N/min(ts)/1e6,"M/s", N)
    _,rows,P_,S,T=go()
    p=r._machine.players
    print((p.mu==rows.state[:,0]).all(), (p.phi2==rows.state[:,1]).all(), (p.sigma2==rows.state[:,2]).all(), (p.wins==rows.counts[:,0]).all(), (p.last==rows.last[:,3])[p.rated>0].all(),
          pred and (r._predictions.logit==P_.logit).all(), rec and all((x==y).all() for x,y in zip(r._steps,S)), T, r.report.clamped, r.report.unconverged)
