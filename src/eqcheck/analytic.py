"""Arrays for the complex step: where NumPy's methods take the modulus, they stay analytic."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Axis: TypeAlias = int | tuple[int, ...] | None


class AnalyticArray(np.ndarray[Any, np.dtype[np.complexfloating[Any, Any]]]):
    """A complex array whose variance is the mean of squares, as for real numbers.

    NumPy's own is the mean of |x - mean(x)|**2, which has no complex derivative. `np.var` and
    `np.std` of such an array call these methods; with arguments that they do not have, they raise
    TypeError.
    """

    def var(  # type: ignore[override]
        self,
        axis: Axis = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,  # noqa: FBT001, FBT002 - the signature is NumPy's
    ) -> NDArray[Any]:
        """The variance along some axes; `dtype` and `out` must be left as they are."""
        if dtype is not None or out is not None:
            raise TypeError("a variance of complex numbers with dtype or out")
        deviation = self - self.mean(axis=axis, keepdims=True)
        total = (deviation * deviation).sum(axis=axis, keepdims=keepdims)
        return np.asanyarray(total / (self.size / total.size - ddof))

    def std(self, *arguments: Any, **options: Any) -> NDArray[Any]:  # type: ignore[override]  # noqa: ANN401
        """The square root of `var`."""
        return np.asanyarray(np.sqrt(self.var(*arguments, **options)))
