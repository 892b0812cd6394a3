"""python windows.py MODEL.onnx VOCAB DATA OUT.json: what the model says of each window of the questions kept aside, for fit.py.

Environment: HALF=choose|report one half only; PART=0/2 the first of two parts, to use two cores; G=24 graded answers of assignments 2 and 4;
PIECES=1 the stretches that earn or contradict a point, against it and against another point, with lists of terms and the question itself.
"""
import os, random, sys, json, csv, time, re
import numpy as np, passages
from model import WordPiece
import onnxruntime
model, vocab, D, out = sys.argv[1:5]; which='points,graded'
o=onnxruntime.SessionOptions(); o.intra_op_num_threads=1; o.inter_op_num_threads=1
s=onnxruntime.InferenceSession(model,o,providers=['CPUExecutionProvider'])
wp=WordPiece([l.rstrip('\n') for l in open(vocab)])
items=[]
if 'points' in which:
    for si,qs in enumerate(passages.questions(D)):
        for i,q in enumerate(qs):
            if i%5!=4: continue
            half='report' if i%10==9 else 'choose'
            for ai,a in enumerate(q['answers']):
                for pi,p in enumerate(q['points']):
                    items.append(dict(set=si+1,half=half,q=q['question'],qi=i,ai=ai,style=a['style'],pi=pi,point=p,text=a['text'],label=a['labels'][pi]))
if 'graded' in which:
    for n,a in enumerate(x for x in csv.DictReader(open(D+'/grading/answers.csv')) if not os.environ.get('G') or x['id'][0] in os.environ['G']):
        for pi,p in enumerate(x for x in re.split(r'(?<=[.!?])\s+',a['reference_answer'].strip()) if len(x.split())>=2):
            items.append(dict(set=0,half=a['id'].split('.')[0],q=a['question'],qi=n,ai=0,style='graded',pi=pi,point=p,text=a['student_answer'],label=float(a['score'])))
def pieces():
    made=[]
    for q in [q for qs in passages.questions(D) for i,q in enumerate(qs) if i%10==4]:
        add=lambda point,text,label: made.append(dict(set=7,half='choose',q=q['question'],point=point,text=text,label=label))
        for a in q['answers']:
            for point,label,said in zip(q['points'],a['labels'],a['evidence']):
                if not said or len(said.split())>40: continue
                add(point,said,label); others=[p for p,e in zip(q['points'],a['evidence']) if p!=point and e!=said]
                if others: add(random.choice(others),said,0)
        add(random.choice(q['points']),q['question'],0)
        for point in q['points']: add(point,', '.join(w.strip('.,;:()').lower() for w in point.split() if len(w)>4),0)
    return [m for m in made if m['text']]
if os.environ.get('PIECES'): items=pieces()
k=int(os.environ.get('EVERY','1')); only=os.environ.get('HALF')
if only: items=[i for i in items if i['set']==0 or i['half']==only]
items=[i for i in items if k==1 or hash((i['set'],i['qi']))%k==0]
part,parts=map(int,os.environ.get('PART','0/1').split('/')); items=[i for n,i in enumerate(items) if n%parts==part]
rows=[];own=[]
for k,it in enumerate(items):
    first=[wp.cls]+wp.ids(it['q'])[:40]+[wp.sep]+wp.ids(it['point'])[:64]+[wp.sep]
    it['windows']=passages.windows(it['text'],judged=True); it['m']=[0]*len(it['windows']); it['c']=[0]*len(it['windows'])
    for w,win in enumerate(it['windows']): rows.append((first,wp.ids(win)[:200]+[wp.sep])); own.append((k,w))
order=sorted(range(len(rows)),key=lambda i:len(rows[i][0])+len(rows[i][1]))
print(len(items),len(rows),flush=True); t=time.time()
for st in range(0,len(order),8):
    part=order[st:st+8]; width=max(len(rows[i][0])+len(rows[i][1]) for i in part)
    ids=np.zeros((len(part),width),np.int64); seg=np.zeros_like(ids)
    for r,i in enumerate(part):
        f,g=rows[i]; ids[r,:len(f)+len(g)]=f+g; seg[r,len(f):len(f)+len(g)]=1
    pr=1/(1+np.exp(-s.run(None,{'input_ids':ids,'token_type_ids':seg})[0]))
    for i,(m,c) in zip(part,pr):
        k,w=own[i]; items[k]['m'][w]=float(m); items[k]['c'][w]=float(c)
    if st//8%800==0: print(st,time.time()-t,flush=True)
json.dump(items,open(out,'w'))
