r"""Equations as textbooks print them, over all parts of a GPT: right ones hold, wrong ones do not.

The values come from plain NumPy, in sizes that differ pairwise. Wrong equations are mistakes that
people make: a factor left out, a wrong axis, a transpose, off by one, a sign, a mask left out.
"""

# ruff: noqa: E501, E741 - an equation a line; O is the output of attention

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import erf
from typing import Any

import numpy as np
import pytest

from eqcheck import Comparison, Environment, EquationError, compare, declare, named, parse
from eqcheck.parse import with_functions
from eqcheck.symbols import Symbols

Values = dict[str, tuple[tuple[str, ...], Any]]
SIZES = (
    {"T": 4, "d": 6, "V": 7, "H": 3, "k": 2, "m": 5, "B": 8},
    {"T": 5, "d": 8, "V": 3, "H": 2, "k": 4, "m": 7, "B": 6},
)


def softmax(S: Any) -> Any:  # noqa: ANN401
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def embeddings(n: dict[str, int], rng: np.random.Generator) -> Values:
    W, P = rng.normal(size=(n["V"], n["d"])), rng.normal(size=(n["T"], n["d"]))
    x, y = rng.integers(n["V"], size=(2, n["T"]))
    x[-1] = x[0]
    dX = rng.normal(size=(n["T"], n["d"]))
    dW = np.zeros_like(W)
    np.add.at(dW, x, dX)
    return {
        "W": (("V", "d"), W), "P": (("T", "d"), P), "x": (("T",), x), "y": (("T",), y),
        "X": (("T", "d"), W[x]), "E": (("T", "V"), np.eye(n["V"])[x]),
        "Z": (("T", "d"), W[x] + P), "dX": (("T", "d"), dX), "dW": (("V", "d"), dW),
        "c": (("V",), np.bincount(x, minlength=n["V"])),
    }  # fmt: skip


def linear(n: dict[str, int], rng: np.random.Generator) -> Values:
    X, W = rng.normal(size=(n["T"], n["d"])), rng.normal(size=(n["d"], n["m"]))
    b, dY = rng.normal(size=n["m"]), rng.normal(size=(n["T"], n["m"]))
    A = rng.normal(size=(n["d"], n["d"])) + 4 * np.eye(n["d"])
    v, u = rng.normal(size=(2, n["d"]))
    return {
        "X": (("T", "d"), X), "W": (("d", "m"), W), "b": (("m",), b), "Y": (("T", "m"), X @ W + b),
        "dY": (("T", "m"), dY), "dX": (("T", "d"), dY @ W.T), "dW": (("d", "m"), X.T @ dY),
        "db": (("m",), dY.sum(0)), "L": ((), (dY * (X @ W + b)).sum()), "A": (("d", "d"), A),
        "v": (("d",), v), "u": (("d",), u), "w": (("d",), np.linalg.solve(A, v)),
        "n": ((), np.linalg.norm(v)), "D": (("T", "m"), np.diff(X @ W + b, axis=0, append=0)),
        "R": ((), float(np.trace(A))), "C": (("T", "d"), np.cumsum(X, 0)),
        "F": ((), np.linalg.norm(X)), "q": ((), u @ v), "M": (("T",), np.abs(X).max(1)),
    }  # fmt: skip


def attention(n: dict[str, int], rng: np.random.Generator) -> Values:
    H, T, k = n["H"], n["T"], n["k"]
    Q, K, V, dO = rng.normal(size=(4, H, T, k))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(k)
    masked = np.where(np.triu(np.ones((T, T), bool), 1), -np.inf, S)
    A = softmax(masked)
    dA = dO @ V.transpose(0, 2, 1)
    dS = A * (dA - (dA * A).sum(-1, keepdims=True)) / np.sqrt(k)
    O = A @ V
    heads = ("H", "T", "k")
    return {
        "Q": (heads, Q), "K": (heads, K), "V": (heads, V), "O": (heads, O), "dO": (heads, dO),
        "S": (("H", "T", "T"), S), "A": (("H", "T", "T"), A), "dA": (("H", "T", "T"), dA),
        r"\tilde{S}": (("H", "T", "T"), masked), "dS": (("H", "T", "T"), dS),
        "dV": (heads, A.transpose(0, 2, 1) @ dO), "dQ": (heads, dS @ K),
        "dK": (heads, dS.transpose(0, 2, 1) @ Q), "d_k": ((), k),
        "F": (("T", "n"), O.transpose(1, 0, 2).reshape(T, H * k)),
    }  # fmt: skip


def gelu(n: dict[str, int], rng: np.random.Generator) -> Values:
    X, dY = 2 * rng.normal(size=(2, n["T"], n["d"]))
    u = np.sqrt(2 / np.pi) * (X + 0.044715 * X**3)
    t = np.tanh(u)
    du = np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * X**2)
    phi = 0.5 * (1 + np.vectorize(erf)(X / np.sqrt(2)))
    two = ("T", "d")
    return {
        "X": (two, X), "u": (two, u), "r": (two, t), "Y": (two, 0.5 * X * (1 + t)),
        "dY": (two, dY), "g": (two, du), "dX": (two, dY * (0.5 * (1 + t) + 0.5 * X * (1 - t * t) * du)),
        "G": (two, X * phi), "R": (two, np.maximum(X, 0)), "s": (two, 1 / (1 + np.exp(-X))),
        "c": ((), np.sqrt(2 / np.pi)),
    }  # fmt: skip


def norm(n: dict[str, int], rng: np.random.Generator) -> Values:
    X, dY = rng.normal(size=(2, n["T"], n["d"])) * 2 + 1
    gamma, beta = rng.normal(size=(2, n["d"]))
    mu, var, eps = X.mean(1), X.var(1), 1e-2
    s = 1 / np.sqrt(var + eps)
    Xhat = (X - mu[:, None]) * s[:, None]
    dXhat = dY * gamma
    means = dXhat.mean(1, keepdims=True), (dXhat * Xhat).mean(1, keepdims=True)
    two = ("T", "d")
    return {
        "X": (two, X), "Y": (two, gamma * Xhat + beta), r"\hat{X}": (two, Xhat), "dY": (two, dY),
        r"\mu": (("T",), mu), r"\sigma^2": (("T",), var), "s": (("T",), s), r"\epsilon": ((), eps),
        r"\gamma": (("d",), gamma), r"\beta": (("d",), beta), r"d\hat{X}": (two, dXhat),
        "dX": (two, s[:, None] * (dXhat - means[0] - Xhat * means[1])),
        r"d\gamma": (("d",), (dY * Xhat).sum(0)), r"d\beta": (("d",), dY.sum(0)),
    }  # fmt: skip


def loss(n: dict[str, int], rng: np.random.Generator) -> Values:
    z = 2 * rng.normal(size=(n["T"], n["V"]))
    y = rng.integers(n["V"], size=n["T"])
    P, T = softmax(z), n["T"]
    onehot = np.eye(n["V"])[y]
    each = -np.log(P[np.arange(T), y])
    tau = 0.7
    return {
        "z": (("T", "V"), z), "y": (("T",), y), "P": (("T", "V"), P), "L": ((), each.mean()),
        r"\ell": (("T",), each), "dz": (("T", "V"), (P - onehot) / T), "Y": (("T", "V"), onehot),
        "a": (("T",), z.max(1)), "E": (("T", "V"), np.exp(z - z.max(1, keepdims=True))),
        r"\tau": ((), tau), "Q": (("T", "V"), softmax(z / tau)), "C": (("T", "V"), P.cumsum(1)),
        "h": (("T",), -(P * np.log(P)).sum(1)), "p": ((), np.exp(each.mean())),
    }  # fmt: skip


def adamw(n: dict[str, int], rng: np.random.Generator) -> Values:
    old, g, before = rng.normal(size=(3, n["m"]))
    square = rng.random(n["m"])
    b1, b2, eta, lam, eps, t, c = 0.9, 0.99, 3e-3, 0.1, 1e-3, 3, 0.5
    m, v = b1 * before + (1 - b1) * g, b2 * square + (1 - b2) * g * g
    mh, vh = m / (1 - b1**t), v / (1 - b2**t)
    one = ("m",)
    G = rng.normal(size=(n["B"], n["m"]))
    size = np.linalg.norm(g)
    warm = 10
    return {
        "m_t": (one, m), "m_{t-1}": (one, before), "v_t": (one, v), "v_{t-1}": (one, square),
        "g": (one, g), r"\hat{m}": (one, mh), r"\hat{v}": (one, vh), r"\beta_1": ((), b1),
        r"\beta_2": ((), b2), r"\eta": ((), eta), r"\lambda": ((), lam), r"\epsilon": ((), eps),
        "t": ((), t), r"\theta_{t-1}": (one, old), "c": ((), c), "G": (("B", "m"), G),
        r"\theta_t": (one, old - eta * lam * old - eta * mh / (np.sqrt(vh) + eps)),
        r"\bar{g}": (one, G.mean(0)), "n": ((), size), r"\tilde{g}": (one, g * min(1, c / size)),
        "w": ((), warm), r"\eta_{\text{max}}": ((), 0.01),
        r"\eta_t": ((), 0.01 * min(t / warm, np.sqrt(warm / t))),
    }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the model: its values, and equations about them, one a line."""

    values: Callable[[dict[str, int], np.random.Generator], Values]
    right: str
    wrong: str
    batch: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


PARTS = {
    "embeddings": Part(
        values=embeddings,
        right=r"""
            X_{ti} = W_{x_t,i}
            X_{t,i} = W_{x_t, i}.
            X_t = W_{x_t}
            X_{t,:} = W_{x_t,:}
            X_{ti} = \sum_v E_{tv} W_{vi}
            X = E W
            E_{tv} = \mathbb{1}[v = x_t]
            E_{tv} = \mathbb{1}[x_t = v]
            E_{tv} = \delta_{v,x_t}
            E_{tv} = \mathbb{1}_{\{v = x_t\}}
            E_{tv} = \begin{cases} 1 & \text{if } v = x_t \\ 0 & \text{otherwise} \end{cases}
            Z_{ti} = W_{x_t,i} + P_{ti}
            Z_t = W_{x_t} + P_t
            Z = X + P
            Z = E W + P
            dW_{vi} = \sum_{t : x_t = v} dX_{ti}
            dW_{vi} = \sum_{t \mid x_t = v} dX_{ti}
            dW_{vi} = \sum_t \mathbb{1}[x_t = v] dX_{ti}
            dW_{vi} = \sum_t \delta_{v,x_t}\, dX_{ti}
            dW_v = \sum_{t : x_t = v} dX_t
            dW = E^\top \mathrm{d}X
            dW = E^T dX
            c_v = \sum_t \mathbb{1}[x_t = v]
            c_v = \sum_{t : x_t = v} 1
            X_{1i} = W_{x_1,i}
            X_{T,i} = X_{1,i}
            X \in \mathbb{R}^{T \times d}, \quad W \in \mathbb{R}^{V \times d}
            X, P, Z \in \mathbb{R}^{T \times d}
            \sum_v E_{tv} = 1 \quad \text{for all } t
            X_{ti} = W_{x_t,i} \quad \forall t, i
            \boxed{Z_{ti} = X_{ti} + P_{ti}} \tag{3}
            Z_{ti} = \underbrace{W_{x_t,i}}_{\text{token}} + \underbrace{P_{ti}}_{\text{position}}
        """,
        wrong=r"""
            X_{ti} = W_{y_t,i}
            X_{ti} = W_{i,x_t}
            X_{ti} = W_{x_i,t}
            X_{ti} = W_{ti}
            X_{ti} = W_{x_{t+1},i}
            X_{ti} = W_{x_{t-1},i}
            X_{ti} = W_{x_t+1,i}
            X_{ti} = \sum_v E_{vt} W_{vi}
            X = W E
            X = E W^\top
            E_{tv} = \mathbb{1}[v = y_t]
            E_{tv} = \mathbb{1}[v \ne x_t]
            E_{tv} = \mathbb{1}[v \le x_t]
            E_{tv} = \delta_{t,x_v}
            Z_{ti} = W_{x_t,i} - P_{ti}
            Z_{ti} = W_{x_t,i}
            Z_t = W_{x_t} + P_{x_t}
            Z = X - P
            dW_{vi} = \sum_{t : y_t = v} dX_{ti}
            dW_{vi} = \sum_t dX_{ti}
            dW_{vi} = \frac{1}{T} \sum_{t : x_t = v} dX_{ti}
            dW_{vi} = \sum_{t : x_t \ne v} dX_{ti}
            dW_{vi} = \max_{t : x_t = v} dX_{ti}
            dW_{x_t,i} = dX_{ti}
            dW = E dX
            c_v = \sum_{t : x_t < v} 1
            X_{2i} = W_{x_1,i}
            X_{0i} = W_{x_1,i}
            X_{T+1,i} = X_{1,i}
            X \in \mathbb{R}^{d \times T}
            W \in \mathbb{R}^{V}
            \sum_t E_{tv} = 1 \quad \text{for all } v
            X_{ti} = E_{tv} W_{vi}
        """,
    ),
    "linear": Part(
        values=linear,
        right=r"""
            Y = X W + b
            Y = XW + \mathbf{1} b^\top
            Y = XW + \mathbf{1}_T b^\top
            Y_{tj} = \sum_i X_{ti} W_{ij} + b_j
            Y_{tj} = \sum_{i=1}^{d} X_{ti} W_{ij} + b_j
            Y_{tj} = \sum_{i=0}^{d-1} X_{ti} W_{ij} + b_j
            Y_t = X_t W + b
            Y_{:,j} = X W_{:,j} + b_j
            Y_{tj} = \langle X_t, W_{:,j} \rangle + b_j
            Y_{tj} = X_t^\top W_{:,j} + b_j
            Y_{tj} = (XW)_{tj} + b_j
            Y_{1j} = \sum_i X_{1i} W_{ij} + b_j
            Y_{t+1,j} - Y_{tj} = D_{tj} \quad t < T
            D_{t-1,j} = Y_{tj} - Y_{t-1,j}, \quad t \ge 2
            D_{tj} = Y_{t+1,j} - Y_{tj} \quad (t = 1, \dots, T - 1)
            dX = dY W^\top
            dX = dY\, W^T
            dX = dY\, W^{\mathsf{T}}
            \mathrm{d}X = \mathrm{d}Y\, W^\intercal
            dX_{ti} = \sum_j dY_{tj} W_{ij}
            dW = X^\top dY
            dW_{ij} = \sum_t X_{ti}\, dY_{tj}
            dW_{ij} = \sum\limits_{t=1}^{T} X_{ti}\, dY_{tj}
            dW = \sum_t X_t dY_t^\top
            db = \mathbf{1}^\top dY
            db_j = \sum_t dY_{tj}
            db = \sum_t dY_t
            L = \sum_{t,j} dY_{tj} Y_{tj}
            L = \langle dY, Y \rangle
            L = \langle dY, Y \rangle_F
            L = \operatorname{tr}(dY^\top Y)
            w = A^{-1} v
            A w = v
            n = \|v\|
            n = \lVert v \rVert_2
            n^2 = \left\| v \right\|_2^2
            n^2 = v^\top v
            n = \sqrt{\sum_i v_i^2}
            F = \|X\|_F
            F^2 = \operatorname{tr}(X X^\top)
            R = \operatorname{tr}(A) = \sum_i A_{ii}
            q = u^\top v
            q = \langle u, v \rangle
            C_{ti} = \sum_{s \le t} X_{si}
            C_{ti} = \sum_{s=1}^{t} X_{si}
            C_{ti} = X_{ti} + \sum_{s=1}^{t-1} X_{si}
            C_{ti} = X_{ti} + \sum_{s < t} X_{si}
            C_{ti} - C_{t-1,i} = X_{ti}, \quad t > 1
            C_{ti} = X_{ti} + \begin{cases} C_{t-1,i} & t > 1 \\ 0 & \text{otherwise} \end{cases}
            M_t = \|X_t\|_\infty
            M_t = \max_i |X_{ti}|
            \operatorname{diag}(v) u = v \odot u
            \begin{aligned} Y &= XW + b \\ dX &= dY\, W^\top \\ db_j &= \sum_t dY_{tj} \end{aligned}
            \begin{aligned} Y_{tj} &= \sum_i X_{ti} W_{ij} \\ &\quad + b_j \end{aligned}
            Y := XW + b
            Y \equiv XW + b
            Y \gets XW + b % the affine map
            \textcolor{red}{Y} = \color{blue} XW + b
        """,
        wrong=r"""
            Y = X W
            Y = X W - b
            Y = W X + b
            Y = X^\top W + b
            Y = X W^\top + b
            Y = XW + b^\top \mathbf{1}
            Y_{tj} = \sum_i X_{ti} W_{ji} + b_j
            Y_{tj} = X_{ti} W_{ij} + b_j
            Y_{tj} = \sum_i X_{it} W_{ij} + b_j
            Y_{tj} = \sum_i (X_{ti} W_{ij} + b_j)
            Y_{tj} = \sum_{i=2}^{d} X_{ti} W_{ij} + b_j
            Y_{tj} = \sum_{i=1}^{d-1} X_{ti} W_{ij} + b_j
            Y_{tj} = \sum_{i=1}^{T} X_{ti} W_{ij} + b_j
            Y_t = X_t W
            Y_t = W X_t + b
            Y_{:,j} = X W_{j,:} + b_j
            Y_{tj} = (WX)_{tj} + b_j
            Y_{1j} = \sum_i X_{2i} W_{ij} + b_j
            Y_{t+1,j} - Y_{tj} = D_{tj}
            Y_{t+1,j} - Y_{tj} = D_{t+1,j} \quad t < T
            Y_{tj} - Y_{t-1,j} = D_{tj} \quad t > 1
            D_{t-1,j} = Y_{tj} - Y_{t-1,j}, \quad t \ge 1
            dX = W dY
            dX = dY W
            dX = W^\top dY
            dX_{ti} = \sum_j dY_{tj} W_{ji}
            dW = dY^\top X
            dW = X dY
            dW_{ij} = \sum_t X_{ti}\, dY_{ti}
            dW_{ij} = \frac{1}{T} \sum_t X_{ti}\, dY_{tj}
            dW_{ij} = X_{ti}\, dY_{tj}
            db = dY
            db_j = \frac{1}{T} \sum_t dY_{tj}
            db_j = \sum_j dY_{tj}
            db = \mathbf{1}^\top X
            L = \sum_t dY_{tj} Y_{tj}
            L = \langle dY, X \rangle
            w = A v
            w = A^\top v
            w = v A^{-1}
            A^2 = A
            n = \|v\|^2
            n = \|v\|_1
            n = \|v\|_\infty
            F = \|X\|
            F = \|X\|_2
            R = \operatorname{tr}(X)
            R = \sum_{ij} A_{ij}
            q = u v
            q = u \odot v
            C_{ti} = \sum_{s < t} X_{si}
            C_{ti} = \sum_{s=1}^{T} X_{si}
            C_{ti} = \sum_{s \ge t} X_{si}
            C_{ti} = \sum_{s=1}^{t-1} X_{si}
            C_{ti} - C_{t-1,i} = X_{ti}
            C_{ti} - C_{t-1,i} = X_{t-1,i}, \quad t > 1
            C_{ti} = \sum_{s=1}^{t+1} X_{si}
            M_t = \max_i X_{ti}
            \begin{aligned} Y &= XW + b \\ dX &= dY\, W \end{aligned}
            b \gets b + db
        """,
    ),
    "attention": Part(
        values=attention,
        functions=(
            (
                r"\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left("
                r"\frac{Q K^\top}{\sqrt{d_k}}\right) V"
            ),
        ),
        right=r"""
            S_h = \frac{Q_h K_h^\top}{\sqrt{d_k}}
            S_h = Q_h K_h^\top / \sqrt{d_k}
            S_{hij} = \frac{1}{\sqrt{d_k}} \sum_c Q_{hic} K_{hjc}
            S_{h,i,j} = \frac{Q_{h,i}^\top K_{h,j}}{\sqrt{d_k}}
            S_{hij} = \frac{\langle Q_{hi}, K_{hj} \rangle}{\sqrt{k}}
            \tilde S_{hij} = \begin{cases} S_{hij} & j \le i \\ -\infty & \text{otherwise} \end{cases}
            \tilde S_{hij} = \begin{cases} -\infty & \text{if } j > i \\ S_{hij} & \text{else} \end{cases}
            A_{hij} = \operatorname{softmax}_j(\tilde S_{hij})
            A_h = \operatorname{softmax}(\tilde S_h)
            A_{hij} = \text{softmax}(\tilde S_{hi})_j
            A_{hij} = \frac{[j \le i] \exp(S_{hij})}{\sum_{l \le i} \exp(S_{hil})}
            A_{hij} = \frac{\mathbb{1}[j \le i] e^{S_{hij}}}{\sum_{l=1}^{i} e^{S_{hil}}}
            \sum_j A_{hij} = 1
            \sum_{j \le i} A_{hij} = 1
            A_{hij} = 0 \quad j > i
            A_{h,1,1} = 1
            O_h = A_h V_h
            O_{hic} = \sum_j A_{hij} V_{hjc}
            O_{hic} = \sum_{j \le i} A_{hij} V_{hjc}
            O_{hic} = \sum_{j=1}^{i} A_{hij} V_{hjc}
            O_{hi} = \sum_{j \le i} A_{hij} V_{hj}
            F_{t,hk+c} = O_{htc}
            F_{t,(h-1)k+c} = O_{htc}
            dV_h = A_h^\top dO_h
            dV_{hjc} = \sum_i A_{hij}\, dO_{hic}
            dA_h = dO_h V_h^\top
            dA_{hij} = \sum_c dO_{hic} V_{hjc}
            dS_{hij} = \frac{A_{hij}}{\sqrt{d_k}} \left(dA_{hij} - \sum_l dA_{hil} A_{hil}\right)
            dQ_h = dS_h K_h
            dK_h = dS_h^\top Q_h
            dK_{hjc} = \sum_i dS_{hij} Q_{hic}
            Q, K, V \in \mathbb{R}^{H \times T \times k}
            S \in \mathbb{R}^{H \times T \times T}
        """,
        wrong=r"""
            S = \frac{Q K^\top}{\sqrt{d_k}}
            S_h = Q_h K_h^\top
            S_h = \frac{Q_h K_h^\top}{d_k}
            S_h = \frac{K_h Q_h^\top}{\sqrt{d_k}}
            S_h = \frac{Q_h K_h}{\sqrt{d_k}}
            S_h = \frac{Q_h^\top K_h}{\sqrt{d_k}}
            S_h = \frac{Q_h K_h^\top}{\sqrt{T}}
            S_{ij} = \frac{1}{\sqrt{d_k}} \sum_c Q_{ic} K_{jc}
            S_{hij} = \frac{1}{\sqrt{d_k}} \sum_c Q_{hjc} K_{hic}
            S_{hij} = \frac{1}{\sqrt{d_k}} Q_{hic} K_{hjc}
            \tilde S_{hij} = \begin{cases} S_{hij} & j < i \\ -\infty & \text{otherwise} \end{cases}
            \tilde S_{hij} = \begin{cases} S_{hij} & i \le j \\ -\infty & \text{otherwise} \end{cases}
            \tilde S_{hij} = \begin{cases} S_{hij} & j \le i \\ \infty & \text{otherwise} \end{cases}
            \tilde S_{hij} = \begin{cases} S_{hij} & j \le i \\ 0 & \text{otherwise} \end{cases}
            A_{hij} = \operatorname{softmax}_i(\tilde S_{hij})
            A_{hij} = \operatorname{softmax}_j(S_{hij})
            A_h = \operatorname{softmax}(S_h)
            A_h = \operatorname{softmax}(\tilde S_h^\top)
            A_{hij} = \operatorname{softmax}(\tilde S_{hij})
            A_{hij} = \frac{\exp(S_{hij})}{\sum_{l \le i} \exp(S_{hil})}
            A_{hij} = \frac{[j \le i] \exp(S_{hij})}{\sum_l \exp(S_{hil})}
            A_{hij} = \frac{[j \le i] \exp(S_{hij})}{\sum_{l=1}^{i-1} \exp(S_{hil})}
            \sum_i A_{hij} = 1
            \sum_{j < i} A_{hij} = 1
            A_{hij} = 0 \quad j \ge i
            A_{h,1,2} = 1
            O_h = V_h A_h
            O_h = A_h^\top V_h
            O_{hic} = \sum_{j < i} A_{hij} V_{hjc}
            O_{hic} = \sum_j A_{hji} V_{hjc}
            O_{hic} = \frac{1}{T} \sum_j A_{hij} V_{hjc}
            F_{t,cH+h} = O_{htc}
            F_{t,hk+c+1} = O_{htc}
            F_{t,hc} = O_{htc}
            F_{t,(h-1)k+c-1} = O_{htc}
            dV_h = A_h dO_h
            dV_{hjc} = \sum_i A_{hji}\, dO_{hic}
            dA_h = V_h dO_h^\top
            dA_{hij} = \sum_c dO_{hjc} V_{hic}
            dS_{hij} = A_{hij} \left(dA_{hij} - \sum_l dA_{hil} A_{hil}\right)
            dS_{hij} = \frac{A_{hij}}{\sqrt{d_k}} \left(dA_{hij} - \sum_l dA_{hil}\right)
            dS_{hij} = \frac{A_{hij}}{\sqrt{d_k}} \left(dA_{hij} + \sum_l dA_{hil} A_{hil}\right)
            dS_{hij} = \frac{A_{hij}}{\sqrt{d_k}} \left(dA_{hij} - \sum_l dA_{hli} A_{hli}\right)
            dQ_h = dS_h^\top K_h
            dK_h = dS_h Q_h
            Q, K, V \in \mathbb{R}^{T \times H \times k}
        """,
    ),
    "attention, batched": Part(
        values=attention,
        batch=("H",),
        functions=(
            (
                r"\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left("
                r"\frac{Q K^\top}{\sqrt{d_k}}\right) V"
            ),
        ),
        right=r"""
            S = \frac{Q K^\top}{\sqrt{d_k}}
            S_{ij} = \frac{1}{\sqrt{d_k}} \sum_c Q_{ic} K_{jc}
            S_h = \frac{Q_h K_h^\top}{\sqrt{d_k}}
            A = \operatorname{softmax}(\tilde S)
            O = A V
            O_i = \sum_{j \le i} A_{ij} V_j
            dV = A^\top dO
            dA = dO\, V^\top
            dQ = dS\, K
            dK = dS^\top Q
            dS_{ij} = \frac{A_{ij}}{\sqrt{d_k}} \left(dA_{ij} - \sum_l dA_{il} A_{il}\right)
        """,
        wrong=r"""
            S = Q K^\top
            S = \frac{Q^\top K}{\sqrt{d_k}}
            A = \operatorname{softmax}(S)
            O = \operatorname{Attention}(Q, K, V)
            O = V A
            dV = A dO
            dA = dO\, V
            dQ = dS\, Q
            dK = dS\, Q
            S_h = \frac{Q K^\top}{\sqrt{d_k}}
        """,
    ),
    "gelu": Part(
        values=gelu,
        functions=(
            (
                r"\operatorname{GELU}(x) = \frac12 x \left(1 + \tanh\!\left(\sqrt{2/\pi}"
                r"\left(x + 0.044715 x^3\right)\right)\right)"
            ),
            r"f(a, x) = a x \Phi(x)",
        ),
        right=r"""
            Y_{ti} = \operatorname{GELU}(X_{ti})
            u_{ti} = \sqrt{\frac{2}{\pi}} \left(X_{ti} + 0.044715 X_{ti}^3\right)
            u = c (X + 0.044715 X^3)
            r_{ti} = \tanh u_{ti}
            r = \tanh(u)
            Y_{ti} = \frac12 X_{ti} (1 + r_{ti})
            Y = \tfrac12 X \odot (1 + r)
            g = c (1 + 3 \cdot 0.044715 X^2)
            dX_{ti} = dY_{ti} \left(\frac12 (1 + r_{ti}) + \frac12 X_{ti} (1 - r_{ti}^2) g_{ti}\right)
            dX_{ti} = dY_{ti} \left(\frac12 (1 + \tanh u_{ti}) + \frac12 X_{ti} (1 - \tanh^2 u_{ti}) g_{ti}\right)
            G_{ti} = X_{ti} \Phi(X_{ti})
            G = X \odot \Phi(X)
            G_{ti} = \frac{X_{ti}}{2} \left(1 + \operatorname{erf}\!\left(\frac{X_{ti}}{\sqrt2}\right)\right)
            G_{ti} = f(1, X_{ti})
            R_{ti} = \max(0, X_{ti})
            R = \max(X, 0)
            R_{ti} = \operatorname{ReLU}(X_{ti})
            R_{ti} = \mathbb{1}[X_{ti} > 0] X_{ti}
            s_{ti} = \sigma(X_{ti})
            s_{ti} = \frac{1}{1 + e^{-X_{ti}}}
            1 - r_{ti}^2 = \frac{1}{\cosh^2 u_{ti}}
            \tanh(u_{ti}) \cosh(u_{ti}) = \sinh(u_{ti})
        """,
        wrong=r"""
            Y_{ti} = \operatorname{GELU}(u_{ti})
            Y_{ti} = \operatorname{GELU}(X_{it})
            Y = 2 \operatorname{GELU}(X)
            u_{ti} = \sqrt{\frac{\pi}{2}} \left(X_{ti} + 0.044715 X_{ti}^3\right)
            u_{ti} = \sqrt{\frac{2}{\pi}} \left(X_{ti} + 0.44715 X_{ti}^3\right)
            u_{ti} = \sqrt{\frac{2}{\pi}} \left(X_{ti} + 0.044715 X_{ti}^2\right)
            u_{ti} = \sqrt{\frac{2}{\pi}} X_{ti} + 0.044715 X_{ti}^3
            r_{ti} = \tanh X_{ti}
            r_{ti} = \sinh u_{ti}
            Y_{ti} = \frac12 X_{ti} (1 - r_{ti})
            Y_{ti} = \frac12 (1 + r_{ti})
            Y = \tfrac12 X (1 + r)
            Y_{ti} = X_{ti} (1 + r_{ti})
            g = c (1 + 0.044715 X^2)
            g = c (1 + 3 \cdot 0.044715 X)
            dX_{ti} = dY_{ti} \left(\frac12 (1 + r_{ti}) + \frac12 X_{ti} (1 - r_{ti}) g_{ti}\right)
            dX_{ti} = dY_{ti} \left(\frac12 (1 + r_{ti}) + \frac12 X_{ti} (1 - r_{ti}^2)\right)
            dX_{ti} = dY_{ti} \left(\frac12 (1 + r_{ti}) + X_{ti} (1 - r_{ti}^2) g_{ti}\right)
            dX_{ti} = \frac12 (1 + r_{ti}) + \frac12 X_{ti} (1 - r_{ti}^2) g_{ti}
            Y_{ti} = X_{ti} \Phi(X_{ti})
            G_{ti} = \Phi(X_{ti})
            G_{ti} = \frac{X_{ti}}{2} \left(1 + \operatorname{erf}(X_{ti})\right)
            G_{ti} = f(X_{ti})
            G_{ti} = f(2, X_{ti})
            R_{ti} = \min(0, X_{ti})
            R_{ti} = \max(1, X_{ti})
            R_{ti} = \max_i X_{ti}
            R_{ti} = \mathbb{1}[X_{ti} > 0]
            R_{ti} = \operatorname{ReLU}(-X_{ti})
            s_{ti} = \sigma(-X_{ti})
            s_{ti} = \frac{1}{1 + e^{X_{ti}}}
            1 - r_{ti}^2 = \cosh^2 u_{ti}
            r_{ti} = \tanh^{-1} u_{ti}
        """,
    ),
    "layer norm": Part(
        values=norm,
        functions=(
            (
                r"\operatorname{LN}(x) = \gamma \odot \frac{x - \operatorname{mean}(x)}"
                r"{\sqrt{\operatorname{var}(x) + \epsilon}} + \beta"
            ),
        ),
        right=r"""
            \mu_t = \frac1d \sum_{i=1}^{d} X_{ti}
            \mu_t = \operatorname{mean}_i X_{ti}
            \mu = \frac{1}{d} X \mathbf{1}
            \sigma_t^2 = \frac{1}{d} \sum_i (X_{ti} - \mu_t)^2
            \sigma_t^2 = \operatorname{var}_i(X_{ti})
            \sigma_t^2 = \frac{1}{d} \|X_t - \mu_t\|^2
            s_t = \frac{1}{\sqrt{\sigma_t^2 + \epsilon}}
            s_t = (\sigma_t^2 + \epsilon)^{-1/2}
            \hat X_{ti} = (X_{ti} - \mu_t) s_t
            \hat X_t = s_t (X_t - \mu_t)
            Y_{ti} = \gamma_i \hat X_{ti} + \beta_i
            Y = \gamma \odot \hat X + \beta
            Y_t = \gamma \odot \hat X_t + \beta
            Y_t = \operatorname{LN}(X_t)
            d\hat X = dY \odot \gamma
            d\hat X_{ti} = dY_{ti} \gamma_i
            dX_{tj} = s_t \left(d\hat X_{tj} - \frac1d \sum_i d\hat X_{ti} - \hat X_{tj} \frac1d \sum_i d\hat X_{ti} \hat X_{ti}\right)
            dX_{tj} = \frac{s_t}{d} \left(d\, d\hat X_{tj} - \sum_i d\hat X_{ti} - \hat X_{tj} \sum_i d\hat X_{ti} \hat X_{ti}\right)
            d\gamma_i = \sum_t dY_{ti} \hat X_{ti}
            d\beta_i = \sum_t dY_{ti}
            d\beta = \mathbf{1}^\top dY
            d\beta = \sum_t dY_t
            \sum_i \hat X_{ti} = 0
            \sum_i dX_{ti} = 0
        """,
        wrong=r"""
            \mu_t = \sum_{i=1}^{d} X_{ti}
            \mu_t = \frac1T \sum_i X_{ti}
            \mu_i = \frac1d \sum_t X_{ti}
            \mu_t = \frac1d \sum_{i=1}^{d-1} X_{ti}
            \sigma_t^2 = \frac{1}{d-1} \sum_i (X_{ti} - \mu_t)^2
            \sigma_t^2 = \frac{1}{d} \sum_i X_{ti}^2
            \sigma_t^2 = \frac{1}{d} \sum_i (X_{ti} - \mu_t)
            \sigma_t^2 = \operatorname{std}_i(X_{ti})
            \sigma_t = \operatorname{std}_i(X_{ti})
            s_t = \sqrt{\sigma_t^2 + \epsilon}
            s_t = \frac{1}{\sqrt{\sigma_t^2} + \epsilon}
            s_t = \frac{1}{\sqrt{\sigma_t^2}}
            s_t = \frac{1}{\sigma_t^2 + \epsilon}
            \hat X_{ti} = (X_{ti} + \mu_t) s_t
            \hat X_{ti} = \frac{X_{ti} - \mu_t}{s_t}
            \hat X_{ti} = X_{ti} s_t - \mu_t
            Y_{ti} = \gamma_t \hat X_{ti} + \beta_t
            Y_{ti} = \gamma_i (\hat X_{ti} + \beta_i)
            Y_{ti} = \beta_i \hat X_{ti} + \gamma_i
            Y = \gamma \hat X + \beta
            Y = \hat X \odot \gamma
            Y = \operatorname{LN}(X)
            Y_t = \operatorname{LN}(\hat X_t + 1)
            d\hat X_{ti} = dY_{ti}
            d\hat X_{ti} = dY_{ti} + \gamma_i
            dX_{tj} = s_t \left(d\hat X_{tj} - \frac1d \sum_i d\hat X_{ti}\right)
            dX_{tj} = s_t \left(d\hat X_{tj} - \frac1d \sum_i d\hat X_{ti} + \hat X_{tj} \frac1d \sum_i d\hat X_{ti} \hat X_{ti}\right)
            dX_{tj} = s_t \left(d\hat X_{tj} - \sum_i d\hat X_{ti} - \hat X_{tj} \sum_i d\hat X_{ti} \hat X_{ti}\right)
            d\gamma_i = \sum_t dY_{ti}
            d\gamma_i = \sum_i dY_{ti} \hat X_{ti}
            d\beta_i = \operatorname{mean}_t dY_{ti}
            d\mu_t = \sum_i dX_{ti}
            \sum_t \hat X_{ti} = 0
        """,
    ),
    "loss": Part(
        values=loss,
        right=r"""
            P_{tv} = \frac{e^{z_{tv}}}{\sum_u e^{z_{tu}}}
            P = \operatorname{softmax}(z)
            P_t = \operatorname{softmax}(z_t)
            P_{tv} = \operatorname{softmax}(z_t)_v
            P_{tv} = \operatorname{softmax}_v z_{tv}
            a_t = \max_v z_{tv}
            E_{tv} = \exp(z_{tv} - a_t)
            P_{tv} = \frac{E_{tv}}{\sum_u E_{tu}}
            \ell_t = -\log P_{t,y_t}
            \ell_t = -\sum_v \mathbb{1}[v = y_t] \log P_{tv}
            \ell_t = \log \sum_v e^{z_{tv}} - z_{t,y_t}
            \ell_t = -\sum_v Y_{tv} \log P_{tv}
            L = \frac{1}{T} \sum_t \ell_t
            L = -\frac1T \sum_{t=1}^{T} \log P_{t,y_t}
            L = -\operatorname{mean}_t(\log P_{t,y_t})
            L = \frac1T \sum_t \left(\log \sum_v e^{z_{tv}} - z_{t,y_t}\right)
            dz_{tv} = \frac{1}{T} (P_{tv} - \mathbb{1}[v = y_t])
            dz_{tv} = \frac{P_{tv} - \delta_{v,y_t}}{T}
            dz = \frac{1}{T} (P - Y)
            dz_{tv} = \begin{cases} (P_{tv} - 1)/T & v = y_t \\ P_{tv}/T & v \ne y_t \end{cases}
            \sum_v dz_{tv} = 0
            Y_{tv} = \delta_{v,y_t}
            Q_{tv} = \frac{e^{z_{tv}/\tau}}{\sum_u e^{z_{tu}/\tau}}
            Q = \operatorname{softmax}(z / \tau)
            C_{tv} = \sum_{u \le v} P_{tu}
            C_{tv} - C_{t,v-1} = P_{tv} \quad \text{for } v = 2, \dots, V
            C_{t,V} = 1
            h_t = -\sum_v P_{tv} \log P_{tv}
            p = e^L
            p = \exp(L)
        """,
        wrong=r"""
            P_{tv} = \frac{e^{z_{tv}}}{\sum_t e^{z_{tv}}}
            P_{tv} = \frac{z_{tv}}{\sum_u z_{tu}}
            P_{tv} = \frac{e^{-z_{tv}}}{\sum_u e^{-z_{tu}}}
            P = \operatorname{softmax}(z^\top)
            P_{tv} = \operatorname{softmax}_t(z_{tv})
            P_{tv} = \operatorname{softmax}(z_{tv})
            a_t = \min_v z_{tv}
            a_v = \max_t z_{tv}
            E_{tv} = \exp(z_{tv})
            E_{tv} = \exp(z_{tv} + a_t)
            \ell_t = \log P_{t,y_t}
            \ell_t = -\log P_{y_t,t}
            \ell_t = -P_{t,y_t}
            \ell_t = -\log P_{t,y_{t+1}}
            \ell_t = -\sum_v \log P_{tv}
            \ell_t = z_{t,y_t} - \log \sum_v e^{z_{tv}}
            \ell_t = \log \sum_v e^{z_{tv}}
            \ell_t = -\log P_{t,t}
            L = \sum_t \ell_t
            L = \frac{1}{V} \sum_t \ell_t
            L = -\frac1T \sum_t P_{t,y_t}
            L = -\log P_{t,y_t}
            L = -\frac1T \sum_{t=1}^{T-1} \log P_{t,y_t}
            dz_{tv} = P_{tv} - \mathbb{1}[v = y_t]
            dz_{tv} = \frac{1}{T} (\mathbb{1}[v = y_t] - P_{tv})
            dz_{tv} = \frac{1}{V} (P_{tv} - \mathbb{1}[v = y_t])
            dz_{tv} = \frac{1}{T} P_{tv}
            dz_{tv} = \frac{P_{tv} - \delta_{t,y_v}}{T}
            dz = \frac{1}{T} (Y - P)
            \sum_t dz_{tv} = 0
            Y_{tv} = \mathbb{1}[v \le y_t]
            Q_{tv} = \frac{e^{z_{tv} \tau}}{\sum_u e^{z_{tu} \tau}}
            Q_{tv} = \frac{e^{z_{tv}/\tau}}{\sum_u e^{z_{tu}}}
            Q = \operatorname{softmax}(z) / \tau
            C_{tv} = \sum_{u < v} P_{tu}
            C_{tv} - C_{t,v-1} = P_{tv}
            C_{t,V} = 0
            h_t = \sum_v P_{tv} \log P_{tv}
            p = e^{-L}
            p = \log L
            y_t \sim P_t
            L = \mathbb{E}[\ell_t]
            L = \lim P
            P(y_t | z_t) = P_{t,y_t}
        """,
    ),
    "optimiser": Part(
        values=adamw,
        right=r"""
            m_t = \beta_1 m_{t-1} + (1 - \beta_1) g
            m_t \leftarrow \beta_1 m_{t-1} + (1 - \beta_1) g
            m_{t,i} = \beta_1 m_{t-1,i} + (1 - \beta_1) g_i
            v_t = \beta_2 v_{t-1} + (1 - \beta_2) g^2
            v_t = \beta_2 v_{t-1} + (1 - \beta_2) (g \odot g)
            \hat m = \frac{m_t}{1 - \beta_1^t}
            \hat v = \frac{v_t}{1 - \beta_2^t}
            \theta_t = \theta_{t-1} - \eta \lambda \theta_{t-1} - \eta \frac{\hat m}{\sqrt{\hat v} + \epsilon}
            \theta_t = (1 - \eta \lambda) \theta_{t-1} - \frac{\eta \hat m}{\sqrt{\hat v} + \epsilon}
            \theta_t = \theta_{t-1} - \eta \left(\frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda \theta_{t-1}\right)
            n = \|g\|
            n = \sqrt{\sum_i g_i^2}
            \tilde g = \min\left(1, \frac{c}{\|g\|}\right) g
            \tilde g = \frac{c}{\max(c, n)} g
            \|\tilde g\| \le c
            \bar g = \frac{1}{B} \sum_b G_b
            \bar g_i = \frac1B \sum_{b=1}^{B} G_{bi}
            \bar g = \frac{1}{B} \mathbf{1}^\top G
            \eta_t = \eta_{\text{max}} \min\left(\frac{t}{w}, \sqrt{\frac{w}{t}}\right)
            \eta_t = \eta_{\text{max}} \min\{t/w, \sqrt{w/t}\}
        """,
        wrong=r"""
            m_t = \beta_1 m_{t-1} + \beta_1 g
            m_t = \beta_1 m_{t-1} + g
            m_t = (1 - \beta_1) m_{t-1} + \beta_1 g
            m_t = \beta_2 m_{t-1} + (1 - \beta_2) g
            m_t = \beta_1 m_t + (1 - \beta_1) g
            m_t \leftarrow \beta_1 m_t + (1 - \beta_1) g
            m_{t+1} = \beta_1 m_t + (1 - \beta_1) g
            v_t = \beta_2 v_{t-1} + (1 - \beta_2) g
            v_t = \beta_2 v_{t-1} + (1 - \beta_2) g^3
            v_t = \beta_2 v_{t-1} + (1 - \beta_2) \|g\|^2
            \hat m = \frac{m_t}{1 - \beta_1}
            \hat m = \frac{m_t}{1 - \beta_2^t}
            \hat m = \frac{m_t}{1 + \beta_1^t}
            \hat m = m_t
            \hat v = \frac{v_t}{1 - \beta_2^{t-1}}
            \theta_t = \theta_{t-1} - \eta \frac{\hat m}{\sqrt{\hat v} + \epsilon}
            \theta_t = \theta_{t-1} - \eta \frac{\hat m}{\sqrt{\hat v + \epsilon}} - \eta \lambda \theta_{t-1}
            \theta_t = \theta_{t-1} - \eta \frac{\hat m}{\hat v + \epsilon} - \eta \lambda \theta_{t-1}
            \theta_t = \theta_{t-1} + \eta \frac{\hat m}{\sqrt{\hat v} + \epsilon} - \eta \lambda \theta_{t-1}
            \theta_t = \theta_{t-1} - \eta \frac{\hat m}{\sqrt{\hat v} + \epsilon} - \lambda \theta_{t-1}
            \theta_t = (1 - \lambda) \theta_{t-1} - \frac{\eta \hat m}{\sqrt{\hat v} + \epsilon}
            n = \|g\|_1
            n = \sum_i g_i^2
            n = |g|
            \tilde g = \max\left(1, \frac{c}{\|g\|}\right) g
            \tilde g = \frac{c}{\|g\|^2} g
            \tilde g = \min(c, g)
            \|\tilde g\| > 2 c
            \bar g = \sum_b G_b
            \bar g = \frac{1}{m} \sum_b G_b
            \bar g_i = \frac1B \sum_{b=2}^{B} G_{bi}
            \bar g = \frac{1}{B} G \mathbf{1}
            \eta_t = \eta_{\text{max}} \max\left(\frac{t}{w}, \sqrt{\frac{w}{t}}\right)
            \eta_t = \eta_{\text{max}} \min\left(\frac{w}{t}, \sqrt{\frac{w}{t}}\right)
            \eta_t = \eta \min\left(\frac{t}{w}, \sqrt{\frac{w}{t}}\right)
        """,
    ),
}


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(name, line.strip(), id=f"{name}: {line.strip()}")
        for name, part in PARTS.items()
        for line in getattr(part, kind).strip().splitlines()
    ]


@cache
def prepared(name: str) -> tuple[Symbols, tuple[Environment, ...]]:
    part = PARTS[name]
    environments = []
    axes: dict[str, tuple[str, ...]] = {}
    for seed, sizes in enumerate(SIZES):
        values = part.values(sizes, np.random.default_rng(seed))
        axes = {symbol: names for symbol, (names, _) in values.items()}
        known = sizes | {"n": sizes["H"] * sizes["k"]}
        used = {name: known[name] for names in axes.values() for name in names}
        named_values = {symbol: named(array, names) for symbol, (names, array) in values.items()}
        environments.append(Environment(values=named_values, sizes=used))
    symbols = with_functions(declare(axes, batch=part.batch), part.functions)
    return symbols, tuple(environments)


def check(name: str, latex: str) -> list[Comparison]:
    symbols, environments = prepared(name)
    return [compare(chain, environments) for chain in parse(latex, symbols)]


@pytest.mark.parametrize(("name", "latex"), cases("right"))
def test_what_is_right_holds(name: str, latex: str) -> None:
    for comparison in check(name, latex):
        assert comparison.holds, comparison


@pytest.mark.parametrize(("name", "latex"), cases("wrong"))
def test_what_is_wrong_is_refused_with_the_place(name: str, latex: str) -> None:
    try:
        failed = [comparison for comparison in check(name, latex) if not comparison.holds]
    except EquationError as error:
        assert 0 <= error.position <= len(latex)  # noqa: PT017 - either is right
        return
    assert failed
    assert failed[0].left != failed[0].right


def test_there_are_enough_of_both() -> None:
    assert len(cases("right")) >= 200
    assert len(cases("wrong")) >= 200
