"""Causal multi-head self-attention, forward and backward (Vaswani et al. 2017)."""

from typing import TypedDict

import numpy as np

from tinygpt.arrays import Array, Params
from tinygpt.ops import linear_backward, linear_forward, softmax_backward, softmax_forward

# Q, K, V (H, T, d_head) and the attention weights A (H, T, T)
HeadsCache = tuple[Array, Array, Array, Array]


class AttentionCache(TypedDict):
    """What `self_attention_backward` needs; all but `heads` are the caches of linear maps."""

    q: Array
    k: Array
    v: Array
    heads: HeadsCache
    out: Array


def split_heads(X: Array, n_heads: int) -> Array:
    """Give each head its own features: X (T, d) -> (H, T, d_head)."""
    T, d = X.shape
    return X.reshape(T, n_heads, d // n_heads).transpose(1, 0, 2)


def merge_heads(O: Array) -> Array:  # noqa: E741
    """Undo `split_heads`: O (H, T, d_head) -> (T, d). Each is the other's backward."""
    n_heads, T, d_head = O.shape
    return O.transpose(1, 0, 2).reshape(T, n_heads * d_head)


def causal_attention_forward(Q: Array, K: Array, V: Array) -> tuple[Array, HeadsCache]:
    """Mix the values V by how well each query matches the keys of its own and earlier positions.

    Q, K, V (H, T, d_head) -> O (H, T, d_head), cache.
    """
    T, d_head = Q.shape[1:]
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(d_head)  # (H, T, T): row = query, column = key
    future = np.triu(np.ones((T, T), dtype=np.bool_), k=1)
    A = softmax_forward(np.where(future, -np.inf, S))
    return A @ V, (Q, K, V, A)


def causal_attention_backward(dO: Array, cache: HeadsCache) -> tuple[Array, Array, Array]:
    """Carry dO back through `causal_attention_forward`; dQ, dK, dV (H, T, d_head)."""
    Q, K, V, A = cache
    d_head = Q.shape[-1]
    dV = A.transpose(0, 2, 1) @ dO
    dA = dO @ V.transpose(0, 2, 1)
    dS = softmax_backward(dA, A) / np.sqrt(d_head)  # 0 in the future, where A is 0: no mask needed
    dQ = dS @ K
    dK = dS.transpose(0, 2, 1) @ Q
    return dQ, dK, dV


def self_attention_forward(
    X: Array, params: Params, p: str, n_heads: int
) -> tuple[Array, AttentionCache]:
    """Attend with queries, keys and values that all come from X.

    X (T, d) -> Y (T, d), cache. `p` is the prefix of the block's parameters, such as "b0.".
    """
    Q, c_q = linear_forward(X, params[p + "attn_wq"], params[p + "attn_bq"])
    K, c_k = linear_forward(X, params[p + "attn_wk"], params[p + "attn_bk"])
    V, c_v = linear_forward(X, params[p + "attn_wv"], params[p + "attn_bv"])
    O, c_heads = causal_attention_forward(  # noqa: E741
        split_heads(Q, n_heads), split_heads(K, n_heads), split_heads(V, n_heads)
    )
    Y, c_out = linear_forward(merge_heads(O), params[p + "attn_wo"], params[p + "attn_bo"])
    return Y, {"q": c_q, "k": c_k, "v": c_v, "heads": c_heads, "out": c_out}


def self_attention_backward(
    dY: Array, c: AttentionCache, params: Params, grads: Params, p: str
) -> Array:
    """Carry dY (T, d) back to dX (T, d), adding the parameters' gradients to `grads`."""
    n_heads = len(c["heads"][0])
    dO, dW, db = linear_backward(dY, c["out"], params[p + "attn_wo"])
    grads[p + "attn_wo"] += dW
    grads[p + "attn_bo"] += db
    dQ, dK, dV = causal_attention_backward(split_heads(dO, n_heads), c["heads"])
    dX_v, dW, db = linear_backward(merge_heads(dV), c["v"], params[p + "attn_wv"])
    grads[p + "attn_wv"] += dW
    grads[p + "attn_bv"] += db
    dX_k, dW, db = linear_backward(merge_heads(dK), c["k"], params[p + "attn_wk"])
    grads[p + "attn_wk"] += dW
    grads[p + "attn_bk"] += db
    dX_q, dW, db = linear_backward(merge_heads(dQ), c["q"], params[p + "attn_wq"])
    grads[p + "attn_wq"] += dW
    grads[p + "attn_bq"] += db
    return dX_q + dX_k + dX_v  # X went three ways
