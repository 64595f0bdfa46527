"""The layer norm on numbers that one can follow by hand, and the derivation checked on them."""

import numpy as np

from tinygpt.arrays import Array
from tinygpt.config import ModelConfig
from tinygpt.gradcheck import numerical_grad
from tinygpt.ops import layer_norm_backward, layer_norm_forward

H = 1e-5  # the step of every central difference below


def forward_and_backward(
    X: Array, gamma: Array, beta: Array, dY: Array
) -> tuple[Array, Array, Array]:
    """Run both functions: X, dY (T, d), gamma, beta (d,) -> dX (T, d), dgamma, dbeta (d,)."""
    _, cache = layer_norm_forward(X, gamma, beta)
    return layer_norm_backward(dY, cache, gamma)


def run(X: Array, gamma: Array, beta: Array, dY: Array) -> float:
    """Run forward and backward and check the derivation: the largest gap found.

    X and dY are (T, d), gamma and beta (d,).
    """
    _, cache = layer_norm_forward(X, gamma, beta)
    dX, dgamma, dbeta = layer_norm_backward(dY, cache, gamma)
    Xhat, s = cache
    gap_derivation = check_matrix(X, dY, dX, gamma, Xhat, s)
    gap_gradients = check_gradients(X, gamma, beta, dY, dX, dgamma, dbeta)
    return max(gap_derivation, gap_gradients)


def check_matrix(X: Array, dY: Array, dX: Array, gamma: Array, Xhat: Array, s: Array) -> float:
    """Build each row's matrix of derivatives dXhat[i]/dX[j] twice, and go back through it."""
    d = X.shape[-1]
    derived = s[:, :, None] * (np.eye(d) - 1 / d - Xhat[:, :, None] * Xhat[:, None, :] / d)
    differences = matrix_by_differences(X)
    gap_matrix = np.abs(derived - differences).max()
    dXhat = dY * gamma
    dX_row = (dXhat[:, :, None] * derived).sum(axis=1)
    gap_row = np.abs(dX_row - dX).max()
    return float(max(gap_matrix, gap_row))


def matrix_by_differences(X: Array) -> Array:
    """Nudge one feature at a time and watch Xhat: X (T, d) -> (T, d, d)."""
    T, d = X.shape
    nudges = H * np.eye(d)
    matrix = np.zeros((T, d, d))
    for t in range(T):
        # Rows are independent, so one call takes all nudges of a row: row j has feature j nudged.
        above, _ = layer_norm_forward(X[t] + nudges, np.ones(d), np.zeros(d))
        below, _ = layer_norm_forward(X[t] - nudges, np.ones(d), np.zeros(d))
        matrix[t] = (above - below).T / (2 * H)
    return matrix


def check_gradients(
    X: Array, gamma: Array, beta: Array, dY: Array, dX: Array, dgamma: Array, dbeta: Array
) -> float:
    """Compare the three gradients with central differences of (Y * dY).sum()."""

    def weighted_sum(_nudged: Array) -> float:
        Y, _ = layer_norm_forward(X, gamma, beta)
        return float((Y * dY).sum())

    numerical_dX = numerical_grad(weighted_sum, X, H)
    numerical_dgamma = numerical_grad(weighted_sum, gamma, H)
    numerical_dbeta = numerical_grad(weighted_sum, beta, H)
    gap_dX = np.abs(dX - numerical_dX).max()
    gap_dgamma = np.abs(dgamma - numerical_dgamma).max()
    gap_dbeta = np.abs(dbeta - numerical_dbeta).max()
    return float(max(gap_dX, gap_dgamma, gap_dbeta))


def observe(cfg: ModelConfig) -> None:
    """Run on random numbers of the model's sizes, so that shapes can be read off."""
    rng = np.random.default_rng(0)
    X, dY = rng.normal(size=(2, cfg.seq_len, cfg.emb_dim))
    gamma, beta = rng.normal(size=(2, cfg.emb_dim))
    forward_and_backward(X, gamma, beta, dY)
    run(X, gamma, beta, dY)
