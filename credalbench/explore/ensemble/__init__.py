"""The ensemble explorer: what many partitions say of pairs, made transitive, and their consensus."""

ABOUT = "combine partitions, close their relation by a t-norm, and see the consensus change"
PUBLIC = {"EnsembleModel": "model", "EnsembleExplorer": "view", "explore_ensemble": "view"}
