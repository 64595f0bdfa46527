"""The operations of the model, each a forward function followed by its backward.

A forward returns its output and a cache, the arrays that its backward will need. A backward takes
the gradient of the loss on the output and returns the gradients on the inputs: the gradient on `X`
is called `dX`.
"""

import numpy as np

from tinygpt.arrays import Array, Ids

LayerNormCache = tuple[Array, Array]  # Xhat (T, d) and s (T, 1)
GeluCache = tuple[Array, Array]  # X and tanh(u), both of the shape of X

GELU_SCALE = np.sqrt(2.0 / np.pi)
GELU_CUBIC = 0.044715


def layer_norm_forward(
    X: Array, gamma: Array, beta: Array, epsilon: float = 1e-5
) -> tuple[Array, LayerNormCache]:
    """Normalise each row of X, then scale and shift each feature (Ba et al. 2016).

    X (T, d), gamma (d,), beta (d,) -> Y (T, d), cache. Raises ValueError if the shapes do not
    broadcast.
    """
    d = X.shape[-1]
    mu = X.sum(axis=-1, keepdims=True) / d
    var = ((X - mu) ** 2).sum(axis=-1, keepdims=True) / d
    s = 1.0 / np.sqrt(var + epsilon)
    Xhat = (X - mu) * s
    return gamma * Xhat + beta, (Xhat, s)


def layer_norm_backward(
    dY: Array, cache: LayerNormCache, gamma: Array
) -> tuple[Array, Array, Array]:
    """Carry dY back through `layer_norm_forward`.

    dY (T, d), gamma (d,) -> dX (T, d), dgamma (d,), dbeta (d,).
    """
    Xhat, s = cache
    dXhat = dY * gamma
    # mu and s depend on the whole row: each of them takes one mean out of the gradient.
    dX = s * (dXhat - dXhat.mean(axis=-1, keepdims=True)
              - Xhat * (dXhat * Xhat).mean(axis=-1, keepdims=True))  # fmt: skip
    dgamma = (dY * Xhat).sum(axis=0)
    dbeta = dY.sum(axis=0)
    return dX, dgamma, dbeta


def linear_forward(X: Array, W: Array, b: Array) -> tuple[Array, Array]:
    """Apply an affine map to each row.

    X (T, n), W (n, m), b (m,) -> Y (T, m), cache. Raises ValueError if the shapes do not fit.
    """
    return X @ W + b, X


def linear_backward(dY: Array, X: Array, W: Array) -> tuple[Array, Array, Array]:
    """Carry dY back through `linear_forward`, whose cache is X.

    dY (T, m) -> dX (T, n), dW (n, m), db (m,).
    """
    dX = dY @ W.T
    dW = X.T @ dY
    db = dY.sum(axis=0)
    return dX, dW, db


def gelu_forward(X: Array) -> tuple[Array, GeluCache]:
    """Apply the GELU to each entry, in its tanh form (Hendrycks and Gimpel 2016).

    X of any shape -> Y of that shape, cache.
    """
    u = GELU_SCALE * (X + GELU_CUBIC * X * X * X)
    t = np.tanh(u)
    return 0.5 * X * (1.0 + t), (X, t)


def gelu_backward(dY: Array, cache: GeluCache) -> Array:
    """Carry dY back through `gelu_forward`; dX has the shape of X."""
    X, t = cache
    du = GELU_SCALE * (1.0 + 3.0 * GELU_CUBIC * X * X)  # du/dX
    dt = (1.0 - t * t) * du  # dt/dX, as tanh' = 1 - tanh^2
    dX: Array = dY * (0.5 * (1.0 + t) + 0.5 * X * dt)
    return dX


def softmax_forward(S: Array) -> Array:
    """Turn scores into probabilities over the last axis.

    S (..., n) -> P (..., n), which is its own cache. A score of -inf gets probability 0; a row
    needs a finite score.
    """
    E = np.exp(
        S - S.max(axis=-1, keepdims=True)
    )  # the same P for any constant; this one cannot overflow
    P: Array = E / E.sum(axis=-1, keepdims=True)
    return P


def softmax_backward(dP: Array, P: Array) -> Array:
    """Carry dP back through `softmax_forward`; dS has the shape of P. Where P is 0, so is dS."""
    dS: Array = P * (dP - (dP * P).sum(axis=-1, keepdims=True))
    return dS


def embedding_forward(ids: Ids, W: Array) -> Array:
    """Look up one row of W for each id.

    ids (T,), W (V, d) -> X (T, d). Raises IndexError for an id outside W.
    """
    X: Array = W[ids]
    return X


def embedding_backward(dX: Array, ids: Ids, W: Array) -> Array:
    """Carry dX back through `embedding_forward`; dW has the shape of W."""
    dW = np.zeros_like(W)
    np.add.at(dW, ids, dX)  # adds every time an id occurs, where dW[ids] += dX would add once
    return dW


def cross_entropy_forward(logits: Array, targets: Ids) -> tuple[float, Array]:
    """Average, over the positions, -log of the probability that softmax gives the target.

    logits (T, V), targets (T,) -> loss, and the probabilities (T, V) as the cache.
    """
    Z = logits - logits.max(axis=-1, keepdims=True)
    log_P = Z - np.log(np.exp(Z).sum(axis=-1, keepdims=True))
    loss = -log_P[np.arange(len(targets)), targets].mean()
    return float(loss), np.exp(log_P)


def cross_entropy_backward(P: Array, targets: Ids) -> Array:
    """Return dlogits (T, V): the probabilities, minus 1 at each target, over T."""
    T = len(targets)
    dlogits = P.copy()
    dlogits[np.arange(T), targets] -= 1.0
    return dlogits / T
