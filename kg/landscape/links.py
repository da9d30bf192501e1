"""Links between nodes as columns, since a large pile has millions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import igraph
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.signedinteger[Any]]
    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

__all__ = ["Links", "to_links"]


class Links(NamedTuple):
    """Which nodes are joined to which, each pair once, sorted."""

    nodes: Sequence[str]  # sorted
    pairs: Numbers  # places of two nodes, the first before the second
    weights: Floats

    def keep(self, some: Mask | Numbers) -> Links:
        """Return some of the links, by a mask or by their places."""
        return self._replace(pairs=self.pairs[some], weights=self.weights[some])

    def iter_named(self) -> Iterator[tuple[tuple[str, str], float]]:
        """Yield the ids of two nodes and their weight."""
        for (one, other), weight in zip(self.pairs.tolist(), self.weights.tolist(), strict=True):
            yield (self.nodes[one], self.nodes[other]), weight

    def to_network(self) -> tuple[list[str], igraph.Graph]:
        """Return the nodes that are joined to others, and the network of them with weighted edges."""
        import igraph
        import numpy as np

        used, ends = np.unique(self.pairs, return_inverse=True)
        network = igraph.Graph(n=len(used), edges=ends.reshape(-1, 2))
        network.es["weight"] = self.weights.tolist()
        return [self.nodes[at] for at in used.tolist()], network


def to_links(nodes: Sequence[str], keys: Numbers, weights: Floats) -> Links:
    """Return links by keys: the place of the first node times the number of nodes, plus that of the second."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    pairs = np.stack(np.divmod(keys[order], max(len(nodes), 1)), axis=1).astype(np.int32)
    return Links(nodes, pairs, weights[order])
