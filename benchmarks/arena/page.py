"""Write the numbers of docs/arena.md, its pictures and a list of means from a result: ``page.py RESULT.csv``.

The text of the page is in the page; only what is between ``<!-- name -->`` and ``<!-- end -->`` is replaced.
A data set counts once, by the mean over its runs; intervals of means over data sets are over the sets.
"""

import argparse
import re
from pathlib import Path
from textwrap import fill

import numpy as np
import pandas as pd
from scipy.stats import friedmanchisquare, studentized_range, ttest_1samp

from credalbench.core.intervals import LEVEL, Estimate, difference, mean
from credalbench.plots import critical_difference, new_figure, to_png

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = "k-means"
FEWEST = 3  # methods and data sets of a test
#: Tables of numbers with which the default d0 of EVCLUS was chosen: by their ARI, and looked at afterwards
#: (``benchmarks/evclus_defaults.py``; of moons and rare, other draws).
CHOSEN_ON = (
    "iris",
    "wine",
    "breast cancer (images)",
    "seeds",
    "r15",
    "aggregation",
    "flame",
    "jain",
    "compound",
)
CHOSEN_ON += ("fourclass",)
LOOKED_AT = (
    "digits",
    "s2",
    "letters",
    "glass",
    "user knowledge",
    "vehicle",
    "spiral",
    "ecoli",
    "moons",
    "rare",
)
LOOKED_AT += ("breast cancer (cells)", "digits (pixels)", "sign language")
KINDS = ("attributes", "categories", "mixed", "dissimilarities")
MEASURES = ["ari", "credal", "error", "kept_error", "found", "false", "n_clusters", "seconds"]
WORDS = ["setting", "failure", "message", "answer", "origin", "about"]


def read(path: Path) -> pd.DataFrame:
    """Read a result of benchopt: a row for each fit."""
    fits = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    names = {"p_obj_task": "task", "idx_rep": "run", "p_solver_method": "method", "p_dataset_data": "dataset"}
    names |= {f"objective_{name}": name for name in [*MEASURES, *WORDS, "kind", "finds_number"]}
    fits = fits.reindex(columns=[*fits.columns, *names.keys() - set(fits.columns)]).rename(columns=names)
    fits[WORDS] = fits[WORDS].astype(object).fillna("")
    fits["method"] = fits["method"].fillna(fits["solver_name"]).str.rpartition(":")[2]
    fits["dataset"] = fits["dataset"].fillna(fits["dataset_name"])
    return fits


def by_set(fits: pd.DataFrame, task: str, measure: str, kind: str = "attributes") -> pd.DataFrame:
    """Return the means over runs: a row for each data set of a kind, a column for each method."""
    some = fits[(fits["task"] == task) & (fits["kind"] == kind)]
    wide = some.pivot_table(index="dataset", columns="method", values=measure, sort=False)
    return wide.reindex(columns=some["method"].unique())


def best_first(wide: pd.DataFrame) -> pd.Index:
    """Return the methods in the order of their means."""
    return wide.mean().sort_values(ascending=False, kind="stable").index


def lead(wide: pd.DataFrame, method: str, other: str) -> str:
    """Return whether a method's index is above that of another, by the interval of the difference."""
    both = wide[[method, other]].dropna().to_numpy().T
    gap = difference(*both) if both.shape[1] > 1 else Estimate(0, -1, 1)
    return "yes" if gap.low > 0 else "no" if gap.high < 0 else "open"


def signs(wide: pd.DataFrame) -> dict[str, str]:
    """Return for each method whether its index is above that of `REFERENCE`: yes, no if below, or open.

    By t tests over the data sets, corrected for the number of methods (Holm, 1979).
    """
    gaps = wide.drop(columns=REFERENCE).sub(wide[REFERENCE], axis=0)
    p_values = pd.Series({name: ttest_1samp(gaps[name].dropna(), 0).pvalue for name in gaps}).fillna(1)
    found = dict.fromkeys(gaps, "open")
    for rank, (name, p_value) in enumerate(p_values.sort_values().items()):
        if p_value * (len(p_values) - rank) > 1 - LEVEL:
            break
        found[name] = "yes" if gaps[name].mean() > 0 else "no"
    return found


def gap(wide: pd.DataFrame, method: str) -> str:
    """Return the mean difference to `REFERENCE` with its interval, which is not corrected."""
    both = wide[[method, REFERENCE]].dropna()
    if len(both) < 2:
        return "–"
    e = mean(both[method] - both[REFERENCE])
    return f"{e.value:+.3f} ({e.low:+.3f} to {e.high:+.3f})"


def words(wide: pd.DataFrame, method: str, low: float = 0.0) -> str:
    """Return a mean over data sets with its interval, within the range of the measure."""
    values = wide[method].dropna() if method in wide else []
    if len(values) < 2:
        return f"{values.iloc[0]:.2f} (one set)" if len(values) else "–"
    e = mean(values)
    return f"{e.value:.2f} ({max(e.low, low):.2f} to {min(e.high, 1.0):.2f})"


def overview(fits: pd.DataFrame, kind: str) -> str:
    """Return the table of a kind of data: indices, time and failures, the best method first."""
    wide = {task: by_set(fits, task, "ari", kind) for task in ("known", "tuned", "unknown")}
    known, seconds = wide["known"], by_set(fits, "known", "seconds", kind).median()
    compared = comparisons(known, by_set(fits[fits["failure"] == ""], "known", "ari", kind))
    rows = []
    for name in best_first(known):
        own = fits[(fits["method"] == name) & (fits["kind"] == kind)]
        row = [f"{name} †" if own["finds_number"].eq(True).any() else name, own["answer"].max()]
        row += [words(one, name, -1.0) for one in wide.values()]
        rows.append(
            [
                *row,
                *compared.get(name, ["–", "–"]),
                f"{seconds[name]:.2g}",
                f"{(own['failure'] != '').sum()} of {len(own)}",
            ]
        )
    head = ["method", "answer", *wide, f"above {REFERENCE}", "without failures", "seconds", "failed fits"]
    return f"ARI; data sets: {len(known)}.\n\n{table(head, rows)}"


def comparisons(known: pd.DataFrame, succeeded: pd.DataFrame) -> dict[str, list[str]]:
    """Return the comparisons of each method with `REFERENCE`: failed fits as 0, and the sets without them."""
    if REFERENCE not in known or len(known) < 2:
        return {}
    first, second = signs(known), signs(succeeded)
    lines = {name: [f"{first[name]}: {gap(known, name)}", "the same"] for name in first}
    for name in second:
        if not known[name].equals(succeeded[name]):
            n_sets = succeeded[name].count()
            lines[name][1] = f"{second[name]}: {gap(succeeded, name)}, {n_sets} sets"
    return lines


def short(known: pd.DataFrame, succeeded: pd.DataFrame) -> list[str]:
    """Return what the comparisons on tables of numbers allow to conclude."""
    if REFERENCE not in known or len(known) < 2:
        return []
    found = signs(known)
    above, below = (", ".join(n for n in found if found[n] == word) or "none" for word in ("yes", "no"))
    changed = [name for name, sign in signs(succeeded).items() if sign != found[name]]
    lines = [
        f"Compared with {REFERENCE} on tables of numbers, corrected for {len(found)} comparisons: higher "
        f"{above}; lower {below}; open the other {[*found.values()].count('open')}. Without the failed fits, "
        f"this changes for {', '.join(changed) or 'none'}."
    ]
    if "EVCLUS" in known:
        chosen, seen = (known.index.isin(sets) for sets in (CHOSEN_ON, [*CHOSEN_ON, *LOOKED_AT]))
        lines.append(
            f"The default d0 of EVCLUS was chosen by the ARI on {chosen.sum()} of these data sets and looked "
            f"at on {(seen & ~chosen).sum()} more. Its lead over {REFERENCE} is {gap(known[seen], 'EVCLUS')} "
            f"there, and {gap(known[~seen], 'EVCLUS')} on the other {(~seen).sum()}."
        )
    return lines


def uncertainty(fits: pd.DataFrame) -> str:
    """Return the table of errors without the least sure objects, and of outliers."""
    wide = [by_set(fits, "known", measure) for measure in ("error", "kept_error", "credal")]
    wide += [by_set(fits, "outliers", measure) for measure in ("found", "false")]
    rows = [[name, *(words(one, name) for one in wide)] for name in best_first(by_set(fits, "known", "ari"))]
    return table(["method", "error", "error of the sure", "credal Rand", "outliers found", "false"], rows)


def ranks(fits: pd.DataFrame, folder: Path) -> str:
    """Draw the mean ranks over tables of numbers; return what the test says."""
    wide = by_set(fits, "known", "ari").round(9).dropna(axis=1)
    n_sets, k = wide.shape
    if min(n_sets, k) < FEWEST:
        return "Too few methods or data sets for a test."
    found = wide.rank(axis=1, ascending=False).mean().sort_values(kind="stable")
    p_value = float(friedmanchisquare(*wide.to_numpy().T).pvalue)
    critical = studentized_range.ppf(LEVEL, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n_sets))
    figure = new_figure(8.2, 0.12 * k + 2.2, dpi=110)
    critical_difference(figure.subplots(), found.to_dict(), critical)
    (folder / "ranks.png").write_bytes(to_png(figure))
    near = ", ".join(found.index[1:][found.iloc[1:] - found.iloc[0] <= critical])
    chance = "less than 1 in 1000" if p_value < 1e-3 else f"{p_value:.2g}"
    apart = f"does not separate it from {near}" if near else "separates it from all others"
    text = f"If all methods were alike, the probability of ranks so far apart would be {chance} (Friedman's "
    text += f"test, {n_sets} data sets); the critical difference is {critical:.1f} ranks. {found.index[0]} "
    return fill(f"{text}comes first; the test {apart}.", 110)


def winners(fits: pd.DataFrame) -> str:
    """Return a row for each data set: the highest mean index, and the methods that are not below it."""
    rows = []
    for name, some in fits[fits["task"] == "known"].groupby("dataset", sort=False):
        runs = some.pivot_table(index="run", columns="method", values="ari", sort=False)
        first, *others = order = best_first(runs)
        among = [first, *(one for one in others if lead(runs, first, one) != "yes")]
        rows.append([name, f"{runs[first].mean():.2f}", f"{len(among)} of {len(order)}", ", ".join(among)])
    return table(["data set", "ARI", "reached by", "methods, the first one first"], rows)


def draw_map(fits: pd.DataFrame, folder: Path) -> None:
    """Draw the mean index of each method on each data set."""
    wide = pd.concat([by_set(fits, "known", "ari", kind) for kind in KINDS])
    wide = wide[best_first(wide)]
    figure = new_figure(0.3 * wide.shape[1] + 2.9, 0.2 * len(wide) + 1.9, dpi=100)
    ax = figure.subplots()
    image = ax.imshow(wide, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(wide.shape[1]), wide.columns, rotation=60, ha="right", fontsize=8)
    ax.set_yticks(range(len(wide)), wide.index, fontsize=8)
    ax.spines[:].set_visible(False)
    figure.colorbar(image, ax=ax, shrink=0.5, pad=0.02).set_label("mean ARI, known number", fontsize=8)
    (folder / "map.png").write_bytes(to_png(figure))


def failures(fits: pd.DataFrame) -> str:
    """Return the table of failures, a row for each method and sort."""
    rows = [
        [*keys, len(some), ", ".join(some["dataset"].unique()), some["message"].iloc[0][:160]]
        for keys, some in fits[fits["failure"] != ""].groupby(["method", "failure"], sort=False)
    ]
    return table(["method", "failure", "fits", "data sets", "message"], rows) if rows else "No fit failed."


def best(fits: pd.DataFrame) -> str:
    """Return whether one method is above all others."""
    wide = by_set(fits, "known", "ari")
    first, *others = best_first(wide)
    if all(lead(wide, first, other) == "yes" for other in others):
        return f"{first} is above every other method by intervals, on the average of these data sets."
    return f"No method is best: {first} has the highest mean ARI, but is not above every other by intervals."


def table(head: list, rows: list) -> str:
    """Return a table in Markdown; what would act in a cell is written as text."""
    cells = [[re.sub(r"([|*_<])", r"\\\1", str(cell)) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *cells])


def write(result: Path, docs: Path) -> Path:
    """Write the page, its pictures and the list of means into a folder; return the path of the page."""
    fits, folder = read(result), docs / "arena_results"
    folder.mkdir(parents=True, exist_ok=True)
    groups = fits.groupby(["method", "dataset", "task"], sort=False)
    means = groups[MEASURES].mean().assign(runs=groups.size(), setting=groups["setting"].first())
    means.to_csv(folder / "means.csv", float_format="%.3g", lineterminator="\n")
    draw_map(fits, folder)
    there, n_failed = set(fits["kind"]), int((fits["failure"] != "").sum())
    sets = fits[["dataset", "kind", "origin", "about"]].drop_duplicates().to_numpy().tolist()
    parts = {"how": f"Computed in {fits['run'].max() + 1} runs by the benchmark in `benchmarks/arena`."}
    known, succeeded = (by_set(some, "known", "ari") for some in (fits, fits[fits["failure"] == ""]))
    lines = [best(fits), *short(known, succeeded), f"{n_failed} of {len(fits)} fits failed; see below."]
    parts["short"] = "\n".join(fill(f"- {line}", 110, subsequent_indent="  ") for line in lines)
    parts |= {"uncertainty": uncertainty(fits), "ranks": ranks(fits, folder), "winners": winners(fits)}
    parts |= {kind: overview(fits, kind) if kind in there else "No data." for kind in KINDS}
    parts |= {"failures": failures(fits), "sets": table(["data set", "kind", "origin", "what it is"], sets)}
    text = (DOCS / "arena.md").read_text(encoding="utf-8")
    for name, part in parts.items():
        before, after = text.split(f"<!-- {name} -->\n", 1)
        text = f"{before}<!-- {name} -->\n\n{part}\n\n<!-- end -->{after.split('<!-- end -->', 1)[1]}"
    (docs / "arena.md").write_text(text, encoding="utf-8")
    return docs / "arena.md"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result", type=Path, help="result of benchopt, .csv or .parquet")
    parser.add_argument("--docs", type=Path, default=DOCS, help="folder of the page")
    given = parser.parse_args()
    print(write(given.result, given.docs))
