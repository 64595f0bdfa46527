"""AdamW: Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019)."""

from dataclasses import dataclass, field

import numpy as np

from tinygpt.arrays import Params


@dataclass(slots=True, kw_only=True)
class AdamW:
    """The optimiser and its state: `m`, `v` and `t` are all that a checkpoint has to keep.

    One-dimensional parameters (biases, layer norms) get no weight decay: pulling a scale towards 0
    helps nobody.
    """

    beta1: float = 0.9
    beta2: float = 0.99
    epsilon: float = 1e-8
    weight_decay: float = 0.01
    t: int = 0  # steps taken
    m: Params = field(default_factory=dict)  # running mean of each gradient
    v: Params = field(default_factory=dict)  # running mean of its square

    def step(self, params: Params, grads: Params, learning_rate: float) -> None:
        """Update `params` in place. Raises ValueError if `grads` has other names than `params`."""
        if grads.keys() != params.keys():
            raise ValueError(f"params and grads differ in {sorted(grads.keys() ^ params.keys())}")
        self.t += 1
        for name, param in params.items():
            g = grads[name]
            m = self.m.setdefault(name, np.zeros_like(param))
            v = self.v.setdefault(name, np.zeros_like(param))
            m += (1.0 - self.beta1) * (g - m)
            v += (1.0 - self.beta2) * (g * g - v)
            # m and v start at 0, so early means are too small: divide by the weight they have seen.
            m_hat = m / (1.0 - self.beta1**self.t)
            v_hat = v / (1.0 - self.beta2**self.t)
            if param.ndim > 1:
                params[name] *= 1.0 - learning_rate * self.weight_decay
            params[name] -= learning_rate * m_hat / (np.sqrt(v_hat) + self.epsilon)
