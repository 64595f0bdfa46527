"""The array types that every module shares."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

# Parameters and their gradients, by name: `tok_emb`, `b0.ln1_g`, ...
Params = dict[str, Array]
