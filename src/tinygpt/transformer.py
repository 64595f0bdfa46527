"""The model: embeddings, pre-LN blocks, a last layer norm and a head (Radford et al. 2019)."""

from typing import TypedDict

import numpy as np

from tinygpt.arrays import Array, Ids, Params
from tinygpt.attention import AttentionCache, self_attention_backward, self_attention_forward
from tinygpt.config import ModelConfig
from tinygpt.ops import (
    GeluCache,
    LayerNormCache,
    cross_entropy_backward,
    cross_entropy_forward,
    embedding_backward,
    embedding_forward,
    gelu_backward,
    gelu_forward,
    layer_norm_backward,
    layer_norm_forward,
    linear_backward,
    linear_forward,
)

INIT_STD = 0.1


class BlockCache(TypedDict):
    """What `block_backward` needs: the cache of each step of the block."""

    ln1: LayerNormCache
    attn: AttentionCache
    ln2: LayerNormCache
    ff1: Array
    gelu: GeluCache
    ff2: Array


class ForwardCache(TypedDict):
    """What `loss_and_grads` needs: the cache of each step of the model."""

    blocks: list[BlockCache]
    lnf: LayerNormCache
    head: Array


def init_params(cfg: ModelConfig, rng: np.random.Generator) -> Params:
    """Make the parameters by name: random weights, biases 0, each layer norm plain Xhat."""
    V, d, ff = cfg.vocab_size, cfg.emb_dim, cfg.ff_dim
    # Each block adds to the residual stream twice: smaller weights there keep the sum's scale.
    residual_std = INIT_STD / np.sqrt(2 * cfg.n_layers)
    params: Params = {}
    params["tok_emb"] = rng.normal(0.0, INIT_STD, (V, d))
    params["pos_emb"] = rng.normal(0.0, INIT_STD, (cfg.seq_len, d))
    for layer in range(cfg.n_layers):
        p = f"b{layer}."
        params[p + "ln1_g"] = np.ones(d)
        params[p + "ln1_b"] = np.zeros(d)
        for name in ("q", "k", "v"):
            params[p + "attn_w" + name] = rng.normal(0.0, INIT_STD, (d, d))
            params[p + "attn_b" + name] = np.zeros(d)
        params[p + "attn_wo"] = rng.normal(0.0, residual_std, (d, d))
        params[p + "attn_bo"] = np.zeros(d)
        params[p + "ln2_g"] = np.ones(d)
        params[p + "ln2_b"] = np.zeros(d)
        params[p + "ff_w1"] = rng.normal(0.0, INIT_STD, (d, ff))
        params[p + "ff_b1"] = np.zeros(ff)
        params[p + "ff_w2"] = rng.normal(0.0, residual_std, (ff, d))
        params[p + "ff_b2"] = np.zeros(d)
    params["lnf_g"] = np.ones(d)
    params["lnf_b"] = np.zeros(d)
    params["head_w"] = rng.normal(0.0, INIT_STD, (d, V))
    params["head_b"] = np.zeros(V)
    return params


def block_forward(
    X: Array, params: Params, layer: int, cfg: ModelConfig
) -> tuple[Array, BlockCache]:
    """Add attention, then a feed-forward layer, each reading a normalised copy of its input.

    X (T, d) -> Y (T, d), cache. This order is called pre-LN (Xiong et al. 2020).
    """
    p = f"b{layer}."
    Xn, c_ln1 = layer_norm_forward(X, params[p + "ln1_g"], params[p + "ln1_b"], cfg.ln_eps)
    attention, c_attn = self_attention_forward(Xn, params, p, cfg.n_heads)
    X1 = X + attention
    Xn2, c_ln2 = layer_norm_forward(X1, params[p + "ln2_g"], params[p + "ln2_b"], cfg.ln_eps)
    H, c_ff1 = linear_forward(Xn2, params[p + "ff_w1"], params[p + "ff_b1"])  # (T, ff_dim)
    G, c_gelu = gelu_forward(H)
    feed, c_ff2 = linear_forward(G, params[p + "ff_w2"], params[p + "ff_b2"])  # (T, d)
    cache: BlockCache = {
        "ln1": c_ln1,
        "attn": c_attn,
        "ln2": c_ln2,
        "ff1": c_ff1,
        "gelu": c_gelu,
        "ff2": c_ff2,
    }
    return X1 + feed, cache


def block_backward(dY: Array, c: BlockCache, params: Params, grads: Params, layer: int) -> Array:
    """Carry dY (T, d) back through `block_forward` to dX (T, d), adding to `grads` on the way."""
    p = f"b{layer}."
    dG, dW, db = linear_backward(dY, c["ff2"], params[p + "ff_w2"])
    grads[p + "ff_w2"] += dW
    grads[p + "ff_b2"] += db
    dH = gelu_backward(dG, c["gelu"])
    dXn2, dW, db = linear_backward(dH, c["ff1"], params[p + "ff_w1"])
    grads[p + "ff_w1"] += dW
    grads[p + "ff_b1"] += db
    dX1_branch, dg, db = layer_norm_backward(dXn2, c["ln2"], params[p + "ln2_g"])
    grads[p + "ln2_g"] += dg
    grads[p + "ln2_b"] += db
    dX1 = dY + dX1_branch  # the residual passes dY on unchanged; the branch adds to it
    dXn = self_attention_backward(dX1, c["attn"], params, grads, p)
    dX_branch, dg, db = layer_norm_backward(dXn, c["ln1"], params[p + "ln1_g"])
    grads[p + "ln1_g"] += dg
    grads[p + "ln1_b"] += db
    return dX1 + dX_branch


def forward(params: Params, ids: Ids, cfg: ModelConfig) -> tuple[Array, ForwardCache]:
    """Score every character as the next one, at each position.

    ids (T,) with 1 <= T <= seq_len -> logits (T, V), cache. Raises ValueError for other lengths or
    unknown ids.
    """
    _check_ids(ids, cfg)
    T = len(ids)
    X = embedding_forward(ids, params["tok_emb"]) + params["pos_emb"][:T]
    blocks: list[BlockCache] = []
    for layer in range(cfg.n_layers):
        X, c_block = block_forward(X, params, layer, cfg)
        blocks.append(c_block)
    Xf, c_lnf = layer_norm_forward(X, params["lnf_g"], params["lnf_b"], cfg.ln_eps)
    logits, c_head = linear_forward(Xf, params["head_w"], params["head_b"])
    return logits, {"blocks": blocks, "lnf": c_lnf, "head": c_head}


def loss_and_grads(
    params: Params, ids: Ids, targets: Ids, cfg: ModelConfig
) -> tuple[float, Params]:
    """Compute the loss of predicting `targets` (T,) from `ids` (T,), and its gradients by name."""
    if targets.shape != ids.shape:
        raise ValueError(f"targets have shape {targets.shape}, but ids have shape {ids.shape}")
    logits, cache = forward(params, ids, cfg)
    loss, P = cross_entropy_forward(logits, targets)

    grads = {name: np.zeros_like(value) for name, value in params.items()}
    dlogits = cross_entropy_backward(P, targets)
    dXf, dW, db = linear_backward(dlogits, cache["head"], params["head_w"])
    grads["head_w"] += dW
    grads["head_b"] += db
    dX, dg, db = layer_norm_backward(dXf, cache["lnf"], params["lnf_g"])
    grads["lnf_g"] += dg
    grads["lnf_b"] += db
    for layer in reversed(range(cfg.n_layers)):
        dX = block_backward(dX, cache["blocks"][layer], params, grads, layer)
    grads["pos_emb"][: len(ids)] += dX
    grads["tok_emb"] += embedding_backward(dX, ids, params["tok_emb"])
    return loss, grads


def _check_ids(ids: Ids, cfg: ModelConfig) -> None:
    if ids.ndim != 1 or not 1 <= len(ids) <= cfg.seq_len:
        raise ValueError(f"ids must have shape (T,) with 1 <= T <= {cfg.seq_len}, got {ids.shape}")
    if ids.min() < 0 or ids.max() >= cfg.vocab_size:
        raise ValueError(
            f"ids must be from 0 to {cfg.vocab_size - 1}, got {ids.min()} to {ids.max()}"
        )
