"""The ranker's trees on numpy against scikit-learn's own, and the parts of a score against their sum."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.ranking.features import FEATURES, KNOWN
from texgeist_retrieval.ranking.storage import load_trees, save_trees


@pytest.fixture(scope="module")
def fitted():
    ensemble = pytest.importorskip("sklearn.ensemble", reason="training needs the extra [torch]")
    random = np.random.default_rng(0)
    values = random.normal(size=(3000, 4)).astype(np.float32)
    truth = values[:, 0] + values[:, 1] * (values[:, 2] > 0) + random.normal(size=3000) > 1
    model = ensemble.HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=9, random_state=0)
    return model.fit(values, truth), values


def test_trees_are_scikit_learns(fitted, tmp_path):
    from texgeist_retrieval.training.ranker import export_trees

    model, values = fitted
    save_trees(tmp_path, export_trees(model, ("a", "b", "c", "d")))
    trees = load_trees(tmp_path)
    parts = trees.parts({name: values[:, i] for i, name in enumerate("abcd")})
    scores = np.sum(list(parts.values()), axis=0)
    theirs = model.decision_function(values)
    assert scores - scores.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-4)
    spread = {name: float(np.ptp(part)) for name, part in parts.items()}
    assert spread["a"] > 5 * spread["d"], "what decides nothing must get a small part"


def test_a_prior_moves_its_feature_alone():
    trees = load_trees()
    assert trees.names == FEATURES
    values = {name: np.zeros(2, dtype=np.float32) for name in FEATURES}
    values[KNOWN] = np.array([0.0, 1.0], dtype=np.float32)
    before = trees.parts(values)
    without = type(trees)(
        *(getattr(trees, f) if f != "priors" else {} for f in trees.__dataclass_fields__)
    ).parts(values)
    assert trees.priors[KNOWN] < 0
    for name in FEATURES:
        gap = before[name] - without[name]
        assert gap == pytest.approx([0.0, trees.priors[KNOWN] if name == KNOWN else 0.0], abs=1e-5)
