"""python fit.py DUMP.json INFO.json NAME MODEL.onnx [--report]: fits what belongs to the weights, on the choosing half."""
import hashlib, json, os, sys
import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
NAMES=['support','contradicted']
def logit(p): p=np.clip(p,1e-4,1-1e-4); return float(np.log(p/(1-p)))
def features(it):
    m=np.array(it['m']); c=np.array(it['c'])
    return [logit(np.sort(m)[::-1][:1 if len(m)<4 else 2].mean()),logit(c.max())]
def state(made,con,t):
    if con>=t[2] and con>made: return -1
    return 1 if made>=t[0] else .5 if made>=t[1] else 0
def figures(items,credit):
    l=np.array([i['label'] for i in items]); cr=credit>=.5; mk=l>=.5
    sc={}
    for i,k in zip(items,credit): sc.setdefault((i['set'],i['qi'],i['ai'],i['style']),[]).append((k,max(0,i['label'])))
    a=np.array([np.mean(v,axis=0) for v in sc.values()]); styles={}
    for key,v in sc.items(): styles.setdefault(key[3],[]).append(np.mean(v,axis=0)*100)
    return dict(f1=2*(cr&mk).sum()/(cr.sum()+mk.sum()),unsaid=cr[l==0].mean(),contrary=cr[l<0].mean() if (l<0).any() else 0,r=np.corrcoef(a.T)[0,1],rmse=100*np.sqrt(((a[:,0]-a[:,1])**2).mean())),{s:tuple(np.mean(v,axis=0).round()) for s,v in styles.items()}
def ece(p,y): 
    b=np.minimum(9,(p*10).astype(int)); return sum((b==k).mean()*abs(p[b==k].mean()-y[b==k].mean()) for k in range(10) if (b==k).any())
def main():
    dump,info,name,model=sys.argv[1:5]; items=json.load(open(dump))
    X=np.array([features(i) for i in items]); y=np.array([i['label'] for i in items]); s=np.array([i['set'] for i in items]); h=np.array([i['half'] for i in items])
    ch=(s>0)&(h=='choose'); grp=np.array([f"{i['set']}-{i['qi']}" for i in items])
    use={'made':os.environ.get('MADE','support,contradicted').split(','),'contradicted':os.environ.get('CON','support,contradicted').split(',')}
    out={}; P={}; CV={}
    for key,target in (('made',y>=.5),('contradicted',y<0)):
        cols=[NAMES.index(n) for n in use[key]]
        lr=LogisticRegression(C=10).fit(X[ch][:,cols],target[ch]); P[key]=lr.predict_proba(X[:,cols])[:,1]
        CV[key]=cross_val_predict(LogisticRegression(C=10),X[ch][:,cols],target[ch],groups=grp[ch],cv=GroupKFold(9),method='predict_proba')[:,1]
        w={n:0.0 for n in NAMES}; w.update({NAMES[c]:round(float(v),4) for c,v in zip(cols,lr.coef_[0])}); w['constant']=round(float(lr.intercept_[0]),4); out[key]=w
        print(key,w,'ece cv',round(ece(CV[key],target[ch]),3))
    # thresholds: least squared error of credit, the contrary counting double, found by cross-validated figures
    idx=np.where(ch)[0]; lab=y[ch]; want=np.clip(lab,0,1); best=None
    for tc in np.arange(.3,.8,.05):
        con=(CV['contradicted']>=tc)&(CV['contradicted']>CV['made'])
        for tp in np.arange(.2,.66,.02):
            for tv in np.arange(tp,.86,.04):
                credit=np.where(con,0,np.where(CV['made']>=tv,1,np.where(CV['made']>=tp,.5,0)))
                cr=credit>=.5; mk=lab>=.5
                f1=2*(cr&mk).sum()/(cr.sum()+mk.sum()); cost=np.mean((credit-want)**2*np.where(lab<0,2,1))
                val=f1-float(os.environ.get('LAMBDA','1.0'))*cost
                if best is None or val>best[0]: best=(val,tv,tp,tc)
    t=tuple(round(float(x),3) for x in best[1:]); print('thresholds covered, partial, contradicted',t)
    def credit(mask): return np.array([max(0,state(a,b,t)) for a,b in zip(P['made'][mask],P['contradicted'][mask])])
    halves=['choose']+(['report'] if '--report' in sys.argv else [])
    for half in halves:
        for k in (1,2):
            m=(s==k)&(h==half); f,st=figures([items[i] for i in np.where(m)[0]],credit(m)); print(half,k,{a:round(float(b),3) for a,b in f.items()},{a:(int(b[0]),int(b[1])) for a,b in st.items()},'ece',round(ece(P['made'][m],y[m]>=.5),3))
    for rep in (('2','4'),('1','3','5','6')):
        idx=[i for i in np.where(s==0)[0] if h[i] in rep]
        if not idx: continue
        d={}
        for i in idx: d.setdefault(items[i]['qi'],[]).append((P['made'][i],max(0,state(P['made'][i],P['contradicted'][i],t)),y[i]))
        a=np.array([np.mean(v,axis=0) for v in d.values()]); print('graded',rep,'continuous r',np.corrcoef(a[:,0],a[:,2])[0,1].round(3),'credits r',np.corrcoef(a[:,1],a[:,2])[0,1].round(3))
    # unsure: where fewer than this share of states is right
    json.dump(dict(name=name,sizeBytes=os.path.getsize(model),sha256=hashlib.sha256(open(model,'rb').read()).hexdigest(),**out,thresholds=dict(covered=t[0],partial=t[1],contradicted=t[2]),unsure=dict(below=.08,above=.08)),open(info,'w'),indent=2)
    return items,P,y,s,h,t
if __name__=='__main__': main()
