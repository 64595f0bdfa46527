"""Programs of the laboratory: experiments whose results one would rather look at than read."""

import numpy as np
from numpy.typing import DTypeLike

from lessons.batch_norm import batch_norm_forward
from lessons.block import BlockSizes, draw_block
from lessons.layer_norm_row import H
from tinygpt.arrays import Array
from tinygpt.config import ModelConfig
from tinygpt.gradcheck import relative_error
from tinygpt.ops import layer_norm_backward, layer_norm_forward

FIRST_STEP, LAST_STEP = -1, -14  # powers of ten


Best = tuple[float, float]  # a step, and the error with it


def step_curve(X: Array, gamma: Array, beta: Array, dY: Array) -> tuple[float, Best, Best]:
    """Check dX by central differences with every step from 1e-1 to 1e-14, in two precisions.

    X, dY (T, d), gamma, beta (d,) -> the relative error with the step that the code uses, and the
    best step with its error in float64 and in float32.
    """
    _, cache = layer_norm_forward(X, gamma, beta)
    dX, _, _ = layer_norm_backward(dY, cache, gamma)
    steps = 10.0 ** np.arange(FIRST_STEP, LAST_STEP - 0.5, -0.5)
    used = H
    errors64 = errors_of_steps(X, gamma, beta, dY, dX, steps, np.float64)
    errors32 = errors_of_steps(X, gamma, beta, dY, dX, steps, np.float32)
    at_used = relative_error(central_differences(X, gamma, beta, dY, used), dX)
    best64, smallest64 = best_step(steps, errors64)
    best32, smallest32 = best_step(steps, errors32)
    return at_used, (best64, smallest64), (best32, smallest32)


def best_step(steps: Array, errors: Array) -> Best:
    """The step with the smallest error, and that error."""
    return float(steps[errors.argmin()]), float(errors.min())


def errors_of_steps(
    X: Array, gamma: Array, beta: Array, dY: Array, dX: Array, steps: Array, dtype: DTypeLike
) -> Array:
    """The relative error of central differences in one precision, for each step: (n,)."""
    X, gamma, beta, dY = (array.astype(dtype) for array in (X, gamma, beta, dY))
    estimates = [central_differences(X, gamma, beta, dY, step) for step in steps.astype(dtype)]
    return np.array([relative_error(estimate.astype(np.float64), dX) for estimate in estimates])


def central_differences(X: Array, gamma: Array, beta: Array, dY: Array, h: float) -> Array:
    """Estimate dX from nudging each feature by h, in the precision of X: X (T, d) -> (T, d)."""
    T, d = X.shape
    estimate = np.zeros_like(X)
    nudges = h * np.eye(d, dtype=X.dtype)
    for t in range(T):
        # Rows are independent, so one call takes all nudges of a row: row j has feature j nudged.
        above, _ = layer_norm_forward(X[t] + nudges, gamma, beta)
        below, _ = layer_norm_forward(X[t] - nudges, gamma, beta)
        estimate[t] = ((above * dY[t]).sum(axis=-1) - (below * dY[t]).sum(axis=-1)) / (2 * h)
    return estimate


def beside_batch_norm(
    X: Array, X_edited: Array, gamma: Array, beta: Array
) -> tuple[Array, Array, Array]:
    """Apply both norms to a block before and after an edit.

    X, X_edited (B, T, C), gamma, beta (C,) -> how far the edit moved each example at most: in the
    block itself, in the layer norm, in the batch norm, (B,) each.
    """
    layer, _ = layer_norm_forward(X, gamma, beta)
    layer_edited, _ = layer_norm_forward(X_edited, gamma, beta)
    batch = batch_norm_forward(X, gamma, beta)
    batch_edited = batch_norm_forward(X_edited, gamma, beta)
    moved = largest_by_example(X_edited - X)
    moved_layer = largest_by_example(layer_edited - layer)
    moved_batch = largest_by_example(batch_edited - batch)
    return moved, moved_layer, moved_batch


def largest_by_example(difference: Array) -> Array:
    """The largest entry of each example, without signs: (B, T, C) -> (B,)."""
    largest: Array = np.abs(difference).max(axis=(1, 2))
    return largest


def observe(cfg: ModelConfig) -> None:
    """Run on random numbers of the model's sizes, so that shapes can be read off."""
    rng = np.random.default_rng(0)
    X, dY = rng.normal(size=(2, cfg.seq_len, cfg.emb_dim))
    gamma, beta = rng.normal(size=(2, cfg.emb_dim))
    step_curve(X, gamma, beta, dY)


def observe_blocks(sizes: BlockSizes) -> None:
    """Run on the lesson's block, so that shapes can be read off."""
    x, gamma, beta, _ = draw_block(sizes)
    beside_batch_norm(x, x, gamma, beta)
