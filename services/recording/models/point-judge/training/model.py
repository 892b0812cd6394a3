"""The point judge's network and tokenizer: MiniLM (BERT, 6 layers, 384 wide, 12 heads) as a cross-encoder, in plain torch."""
import json
import re
import struct
import unicodedata

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class WordPiece:
    """BERT's uncased WordPiece tokenizer. `vocab`: the pieces in the order of their ids."""

    def __init__(self, vocab):
        self.id = {piece: i for i, piece in enumerate(vocab)}
        self.cls, self.sep, self.unk = self.id["[CLS]"], self.id["[SEP]"], self.id["[UNK]"]
        self.cache = {}

    def ids(self, text):
        text = unicodedata.normalize("NFD", text.lower())
        text = "".join(c for c in text if unicodedata.category(c) != "Mn")
        return [i for word in re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text) for i in self.pieces(word)]

    def pieces(self, word):
        if word not in self.cache:
            ids, at = [], 0
            while at < len(word):
                end = len(word)
                while end > at and ("##" if at else "") + word[at:end] not in self.id:
                    end -= 1
                if end == at:
                    ids = [self.unk]
                    break
                ids.append(self.id[("##" if at else "") + word[at:end]])
                at = end
            self.cache[word] = ids
        return self.cache[word]


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.n1 = nn.LayerNorm(width, 1e-12)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.n2 = nn.LayerNorm(width, 1e-12)

    def forward(self, x, mask):
        b, n, d = x.shape
        heads = lambda f: f(x).view(b, n, self.h, -1).transpose(1, 2).reshape(b * self.h, n, -1)
        q, k, v = heads(self.q), heads(self.k), heads(self.v)
        # Plain products: torch's fused attention takes half of a training step on a processor.
        attention = torch.bmm(q, k.transpose(1, 2)).view(b, self.h, n, n) * (q.shape[-1] ** -0.5) + mask.to(q.dtype)
        mixed = torch.bmm(attention.softmax(-1).to(q.dtype).view(b * self.h, n, n), v)
        mixed = mixed.view(b, self.h, n, -1).transpose(1, 2).reshape(b, n, d)
        x = self.n1(x + self.o(mixed))
        return self.n2(x + self.down(F.gelu(self.up(x))))


class CrossEncoder(nn.Module):
    """input_ids, token_type_ids: int64 (batch, length), 0 pads -> logits (batch, 2): the point is made, the point is contradicted."""

    def __init__(self, vocab=30522, width=384, layers=6, heads=12, length=512):
        super().__init__()
        self.tok, self.pos, self.seg = nn.Embedding(vocab, width), nn.Embedding(length, width), nn.Embedding(2, width)
        self.n = nn.LayerNorm(width, 1e-12)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.mid, self.out = nn.Linear(2 * width, width), nn.Linear(width, 2)

    def forward(self, ids, seg):
        keep = ids != 0
        mask = (~keep)[:, None, None, :].to(torch.float32) * -1e4
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1], device=ids.device))[None] + self.seg(seg)
        x = self.n(x)
        for layer in self.layers:
            x = layer(x, mask)
        weight = keep[..., None].to(torch.float32)
        mean = (x * weight).sum(1) / weight.sum(1)
        hidden = torch.tanh(self.mid(torch.cat([x[:, 0], mean], 1)))
        return self.out(hidden)

    def load_bert(self, path):
        """Loads the encoder from a model.safetensors of all-MiniLM-L6-v2; the two output layers stay as they are."""
        tensors = read_safetensors(path)

        def put(module, name, bias=True):
            module.weight.data = tensors[name + ".weight"].float()
            if bias:
                module.bias.data = tensors[name + ".bias"].float()

        for module, name in ((self.tok, "word"), (self.pos, "position"), (self.seg, "token_type")):
            put(module, f"embeddings.{name}_embeddings", bias=False)
        put(self.n, "embeddings.LayerNorm")
        for i, layer in enumerate(self.layers):
            p = f"encoder.layer.{i}."
            put(layer.q, p + "attention.self.query")
            put(layer.k, p + "attention.self.key")
            put(layer.v, p + "attention.self.value")
            put(layer.o, p + "attention.output.dense")
            put(layer.n1, p + "attention.output.LayerNorm")
            put(layer.up, p + "intermediate.dense")
            put(layer.down, p + "output.dense")
            put(layer.n2, p + "output.LayerNorm")
        return self

    def load_weights(self, path):
        """Loads a .pt of this network, an .npz that holds a part of it, or what export.py wrote."""
        if path.endswith(".onnx"):
            state = read_onnx(path)
        elif path.endswith(".npz"):
            with np.load(path) as tensors:
                state = {name: torch.from_numpy(tensors[name].astype(np.float32)) for name in tensors.files}
        else:
            state = torch.load(path, map_location="cpu")
        missing = self.load_state_dict(state, strict=False)
        assert not missing.unexpected_keys, missing.unexpected_keys
        return self


def read_onnx(path):
    """The weights of a file of export.py, in 8 bits as the product uses them. Quantized again, they are the same."""
    import onnx

    graph = onnx.load(path).graph
    held = {i.name: onnx.numpy_helper.to_array(i).copy() for i in graph.initializer}
    state = {name: torch.from_numpy(values) for name, values in held.items() if name.endswith((".weight", ".bias"))}
    names = [f"layers.{layer}.{part}.weight" for layer in range(6) for part in ("q", "k", "v", "o", "up", "down")]
    products = [node for node in graph.node if node.op_type == "MatMulNBits"]
    assert len(products) == len(names), len(products)
    for name, node in zip(names, products):
        blocks, scales = (held[i].astype(np.float32) for i in node.input[1:3])
        blocks = (blocks - 128) * scales.reshape(*blocks.shape[:2], 1)
        state[name] = torch.from_numpy(blocks.reshape(len(blocks), -1))
    scale = {len(values): values for values in held.values() if values.ndim == 2 and values.shape[1] == 1}
    embeddings = {len(rows): rows * scale[len(rows)] for rows in held.values() if rows.dtype == np.int8}
    for name, count in (("tok", 30522), ("pos", 512)):
        state[name + ".weight"] = torch.from_numpy(embeddings[count])
    return state


def read_safetensors(path):
    raw = open(path, "rb").read()
    size = struct.unpack("<Q", raw[:8])[0]
    types = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    tensors = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if name != "__metadata__":
            start, end = entry["data_offsets"]
            data = np.frombuffer(raw[8 + size + start : 8 + size + end], types[entry["dtype"]])
            tensors[name] = torch.from_numpy(data.reshape(entry["shape"]).copy())
    return tensors
