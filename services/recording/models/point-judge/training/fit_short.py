"""python fit_short.py VOCAB CHOOSE.json GRADED.json PIECES.json: fits `madeInShort`, how likely a short answer makes a point.

All three are dumps of windows.py: the choosing half; graded answers of assignments 1, 3, 5 and 6 (G=1356), by weights that had
not learned from them; and pieces of the choosing half (PIECES=1), by the weights that ship.
A score of 3 or less counts as not made and 5 as made. Pieces weigh 0.3. Then the sum is drawn toward the threshold of `covered`
(SPREAD) and lowered (LESS): more of the half-right answers are partly covered. Both, and the two lengths, were chosen by leaving
out one assignment at a time, and questions of our own, among those that credit no more of the unsaid and of the contrary.
"""
import json, math, re, sys
import numpy as np
from sklearn.linear_model import LogisticRegression
from fit import features
SHORT_UP_TO, LONG_FROM = 35, 50
SPREAD, LESS, COVERED = 0.7, 0.137, 0.64
vocab = {w.rstrip("\n"): i for i, w in enumerate(open(sys.argv[1], encoding="utf8"))}


def rarity(word):
    return math.log(max(1, vocab[word] - 1996)) / math.log(len(vocab) - 1996) if word in vocab else 1.0


def said(point, text, question):
    stems = {w[:5]: rarity(w) ** 2 for w in re.findall(r"\w+", point.lower())}
    spoken = {w[:5] for w in re.findall(r"\w+", text.lower())}
    asked = {w[:5] for w in re.findall(r"\w+", question.lower())}
    share = lambda counts: sum(v for k, v in stems.items() if k in spoken and counts(k)) / max(1e-4, sum(stems.values()))
    return share(lambda k: True) if share(lambda k: k not in asked) >= 0.02 else 0


rows, targets, weights = [], [], []
for kind, path in zip(("choose", "graded", "pieces"), sys.argv[2:]):
    for it in json.load(open(path)):
        graded, label = it["set"] == 0, it["label"]
        share = min(1, max(0, (LONG_FROM - len(it["text"].split())) / (LONG_FROM - SHORT_UP_TO)))
        if share and graded == (kind == "graded"):
            rows.append(features(it) + [said(it["point"], it["text"], it["q"])])
            targets.append(min(1, max(0, (label - 3) / 2)) if graded else float(label >= 0.5))
            weights.append(share * (0.3 if kind == "pieces" else 1))
X, y, w = np.array(rows), np.array(targets), np.array(weights)
lr = LogisticRegression(C=10, max_iter=3000).fit(np.vstack([X, X]), np.r_[np.ones(len(y)), np.zeros(len(y))], sample_weight=np.r_[y * w, (1 - y) * w])
constant = SPREAD * lr.intercept_[0] + (1 - SPREAD) * math.log(COVERED / (1 - COVERED)) - LESS
print(json.dumps(dict(zip(("support", "contradicted", "said"), (SPREAD * lr.coef_[0]).round(3)), constant=round(float(constant), 3))))
