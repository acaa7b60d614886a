import numpy as np, time
from numba import njit
rng=np.random.default_rng(1)
P,N=1_000_000,5_000_000
a=rng.integers(0,P,N).astype(np.int32); b=((a+1+rng.integers(0,P-1,N))%P).astype(np.int32)
s=rng.choice([0.,.5,1.],N)
def al(n,w):
    raw=np.zeros(w*n+8); k=(64-raw.ctypes.data%64)%64//8
    return raw[k:k+w*n].reshape(n,w)
@njit(error_model="numpy")
def f32(a,b,s,sheet,tot):
    for k in range(0,len(a),256):
        n=min(256,len(a)-k)
        for i in range(n):
            x=a[k+i]; y=b[k+i]
            d=(sheet[x,0]-sheet[y,0])*sheet[x,1]*sheet[y,1]
            tot[i]=d
        for i in range(n):
            x=a[k+i]; y=b[k+i]
            sheet[x,2]+=tot[i]; sheet[x,3]+=1.0; sheet[y,2]-=tot[i]; sheet[y,3]+=1.0
@njit(error_model="numpy")
def f32c(a,b,s,sheet,tot,cnt):
    for k in range(0,len(a),256):
        n=min(256,len(a)-k)
        for i in range(n):
            x=a[k+i]; y=b[k+i]
            d=(sheet[x,0]-sheet[y,0])*sheet[x,1]*sheet[y,1]
            tot[i]=d
        for i in range(n):
            x=a[k+i]; y=b[k+i]
            sheet[x,2]+=tot[i]; sheet[x,3]+=1.0; sheet[y,2]-=tot[i]; sheet[y,3]+=1.0
            q=21*(np.int64(s[k+i]<=0.5)+np.int64(s[k+i]<0.5)); c=np.int64(1)<<q; e=np.int64(1)<<(42-q)
            cnt[x]+=c; cnt[y]+=e
@njit(error_model="numpy")
def f64c(a,b,s,sheet,tot,iv):
    for k in range(0,len(a),256):
        n=min(256,len(a)-k)
        for i in range(n):
            x=a[k+i]; y=b[k+i]
            d=(sheet[x,0]-sheet[y,0])*sheet[x,1]*sheet[y,1]
            tot[i]=d
        for i in range(n):
            x=a[k+i]; y=b[k+i]
            sheet[x,2]+=tot[i]; sheet[x,3]+=1.0; sheet[y,2]-=tot[i]; sheet[y,3]+=1.0
            q=21*(np.int64(s[k+i]<=0.5)+np.int64(s[k+i]<0.5)); c=np.int64(1)<<q; e=np.int64(1)<<(42-q)
            iv[x,4]+=c; iv[y,4]+=e
@njit
def onlycnt(a,b,s,cnt):
    for i in range(len(a)):
        x=a[i]; y=b[i]
        q=21*(np.int64(s[i]<=0.5)+np.int64(s[i]<0.5)); c=np.int64(1)<<q; e=np.int64(1)<<(42-q)
        cnt[x]+=c; cnt[y]+=e
tot=np.zeros(256); s4=al(P,4); s8=al(P,8); cnt=np.zeros(P,np.int64); iv=s8.view(np.int64)
for nm,g in [("32",lambda:f32(a,b,s,s4,tot)),("32+8",lambda:f32c(a,b,s,s4,tot,cnt)),("64",lambda:f64c(a,b,s,s8,tot,iv)),("cnt",lambda:onlycnt(a,b,s,cnt))]:
    g(); ts=[]
    for _ in range(5):
        t=time.perf_counter(); g(); ts.append(time.perf_counter()-t)
    print(nm,min(ts))
