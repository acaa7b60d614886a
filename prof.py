import sys,time; sys.path.insert(0,'/tmp/w4/src')
exec(open('try2.py').read().split("for name,timed")[0].replace("sys.argv[1]","'1000000'").replace("sys.argv[2]","'5000000'").replace("sys.argv[3]","'1'"))
import inspect; from tallymark.replay.sheets import make_sheets; S=sys.modules["tallymark.replay.sheets"]
src=inspect.getsource(S)
variants={"full":src,
 "nocount":src.replace("                count(piece, min(high, piece + (1 << 20)), a, b, s, results)\n",""),
 "noadd":src.replace("            add(low, high, a, b, s, share, sheet, ahead, v, predictions, k)\n",""),
 "noclose":src.replace("            close(0, n, who, now, rows, sheet, v, times, flags, tally, kept, k, limits, clock)\n",""),
 "nomark":src.replace("if slot[x] < 0:","if False:"),
 "norescan":src.replace("if 4 * n > players","if False and 4 * n > players"),
 "noprep":src.replace("            prepare(0, n, who, now, rows, sheet, ahead, v, times, k, limits, clock)\n",""),
}
import os
for nm,sr in variants.items():
    open(f'/tmp/w4/v_{nm}.py','w').write(sr)
    import importlib.util
    spec=importlib.util.spec_from_file_location(f"v_{nm}",f'/tmp/w4/v_{nm}.py'); mod=importlib.util.module_from_spec(spec); sys.modules[f"v_{nm}"]=mod; spec.loader.exec_module(mod)
    m=tm.methodology("paper").with_(period="1d")
    f=compiled(mod.make_sheets(m.system.formulas, False, False, False, False, False))
    st=m.system.state(m.system.initial()); k=m.system.constants(m.limits.rating_steps)
    pp=mod.paper(P,False,False)
    def go(n=N):
        pl=filled(Players,P); pl.mu[:]=st.mu; pl.phi2[:]=st.phi2; pl.sigma2[:]=st.sigma2
        rows=rows_of(pl); P_=filled(Predictions,0); T=Tally(np.zeros(5,np.int64),np.zeros(1,np.int64))
        t=time.perf_counter(); f(0,U,a4,b4,s,np.empty(0),start,when,rows,pp,P_,filled(Steps,0),T,k,m.limits,clock_of(m)); return time.perf_counter()-t
    go(); print(nm, min(go() for _ in range(5)))
