"""Pages that compute in the browser: their ECM is the estimator, and they work from a file and by touch."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import ECM
from credalbench.explore.explorers.ecm import ECMModel, ecm_scene
from credalbench.explore.live import PAGES, write_live_page
from credalbench.explore.live.writing import HERE
from credalbench.explore.scene.scene import packed
from credalbench.learn.mass_board import decisions
from tests.e2e.on_the_page import CANVAS, CANVAS_DRAWN, DETAILS, REASON

pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("ignore")]

MOST_BYTES = 1_500_000
PHONE = {"width": 390, "height": 844}
#: The same to rounding, besides what the last bit of the start moves.
SAME = 1e-9
N_PROBLEMS = 200
#: The scene of the page of ECM, in lists of numbers.
SHOWN = """const plain = (value) => {
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return [...value].map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
};
window.shown = { begin, completeRun, get: () => plain(unpacked(source.get("scene"))) };"""
TYPES = {"float32": np.float32, "float64": np.float64, "int32": np.int32, "uint8": np.uint8}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    return {name: write_live_page(name, folder / f"{name}.html") for name in PAGES}


@pytest.fixture
def opened(page, files):
    """Opens a page by its name and the settings in its address; asserts that it has no error, no request."""
    page.errors, page.requests = [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))

    def open_page(name, settings=""):
        page.goto("about:blank")
        page.goto(f"{files[name].as_uri()}#{settings}")
        if name == "ecm":
            page.wait_for_function(CANVAS_DRAWN)
        return page

    yield open_page
    assert page.errors == [] and {url.partition("#")[0] for url in page.requests} <= {
        "about:blank",
        *(path.as_uri() for path in files.values()),
    }


def with_scripts(page, *names):
    """Show an empty page whose scripts are at hand as ``window.live``."""
    parts = "\n".join((HERE / name).read_text("utf-8") for name in names)
    given = "run, massStep, pignistic, belief, plausibility, isOutlier, nonspecificity, sentenceOf"
    given += ", decisionsOf" * ("board.js" in names)
    page.set_content(f"<script type=module>{parts}\nwindow.live = {{ {given} }};</script>")
    page.wait_for_function("() => window.live")


def random_problems(n_problems):
    """Yield fits of ECM to random objects, and the same problems for the browser."""
    rng = np.random.default_rng(0)
    for k in range(n_problems):
        n, c, p = rng.integers(6, 60), rng.integers(1, 6), rng.integers(1, 4)
        X = rng.normal(size=(n, p)) * 10 ** rng.uniform(-2, 2) + 10 * rng.normal(size=p)
        start = X[rng.choice(n, c, replace=False)] if k % 10 else np.repeat(X[:1], c, axis=0)
        setting = {
            "alpha": rng.uniform(-1, 3),
            "beta": rng.uniform(1.1, 4),
            "delta": rng.uniform(0.3, 4) * X.std(),
        }
        estimator = ECM(
            int(c), focal_sets=str(rng.choice(["full", "simple", "pairs"])), init=start, **setting
        )
        sets = estimator.fit(X).partition_.focal_sets.membership.astype(int).tolist()
        yield estimator, X, {"objects": X.tolist(), "sets": sets, "start": start.tolist()} | setting


def test_the_iteration_is_that_of_the_estimator(page):
    """Prototypes, masses and objective of random problems, in units of the data."""
    with_scripts(page, "belief.js", "ecm.js")
    problems = list(random_problems(N_PROBLEMS))
    found = page.evaluate(
        """problems => problems.map((problem) => {
          const { prototypes, objective } = live.run(problem.start, problem);
          return { prototypes, objective, masses: live.massStep(prototypes.at(-1), problem).masses };
        })""",
        [problem for *_, problem in problems],
    )
    chaotic = 0
    for (fit, X, _), browser in zip(problems, found):
        unit = X.std()
        once = ECM(**fit.get_params() | {"max_iter": 1}).fit(X)
        assert np.abs(once.cluster_centers_ - browser["prototypes"][1]).max() <= SAME * unit
        nudged = ECM(**fit.get_params() | {"init": fit.init * (1 + 1e-15)}).fit(X)
        moved = np.abs(nudged.partition_.masses - fit.partition_.masses).max()
        chaotic += moved > SAME
        assert np.abs(fit.partition_.masses - browser["masses"]).max() <= SAME + 100 * moved
        assert len(browser["prototypes"]) == fit.n_iter_ + 1
        assert np.abs(fit.cluster_centers_ - browser["prototypes"][-1]).max() <= (SAME + 100 * moved) * unit
        np.testing.assert_allclose(browser["objective"], fit.objective_trace_, rtol=SAME + 100 * moved)
    assert chaotic <= N_PROBLEMS / 20  # of the tenth with equal prototypes, which rounding separates, mostly


def test_readings_of_masses_are_those_of_partitions(page):
    with_scripts(page, "belief.js", "ecm.js", "board.js")
    rng = np.random.default_rng(1)
    for focal_sets in (FocalSets.full(3), FocalSets.full(4), FocalSets.simple(4), FocalSets.pairs(3)):
        masses = rng.dirichlet(np.full(len(focal_sets), 0.4), size=60)
        masses[:20] = masses[:20].round(1)  # ties
        masses[:20, -1] += 1 - masses[:20].sum(axis=1)
        masses = masses[masses.min(axis=1) >= 0]
        partition = CredalPartition(masses, focal_sets)
        browser = page.evaluate(
            """([rows, sets, labels]) => rows.map((masses) => ({
              pignistic: live.pignistic(masses, sets),
              belief: sets[0].map((_, k) => live.belief(masses, sets, k)),
              plausibility: sets[0].map((_, k) => live.plausibility(masses, sets, k)),
              outlier: live.isOutlier(masses, sets),
              nonspecificity: live.nonspecificity([masses], sets),
              sentence: live.sentenceOf(masses, sets),
              decisions: live.decisionsOf(masses, sets, labels),
            }))""",
            [masses.tolist(), focal_sets.membership.astype(int).tolist(), focal_sets.labels],
        )
        for i, found in enumerate(browser):
            one = partition.take([i])
            assert np.allclose(found["pignistic"], one.pignistic[0], atol=1e-12)
            assert np.allclose(found["plausibility"], one.contour[0], atol=1e-12)
            singles = [one.belief({k})[0] for k in range(focal_sets.n_clusters)]
            assert np.allclose(found["belief"], singles, atol=1e-12)
            assert found["outlier"] == one.outliers()[0]
            assert found["nonspecificity"] == pytest.approx(one.nonspecificity(), abs=1e-12)
            assert found["sentence"] == partition.explain(i).reason
            assert found["decisions"] == decisions(one).split("<br>")


def plain(value):
    """Return a packed scene as lists of numbers, as the browser has it."""
    if isinstance(value, dict) and "data" in value:
        return np.frombuffer(value["data"], TYPES[value["type"]]).reshape(value["shape"]).tolist()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


def assert_alike(found, expected, place="scene"):
    if isinstance(expected, dict):
        for key in expected.keys() & found.keys():
            assert_alike(found[key], expected[key], f"{place}.{key}")
        assert expected.keys() == found.keys(), place
    elif isinstance(expected, list):
        assert len(found) == len(expected), place
        for k, (one, other) in enumerate(zip(found, expected)):
            assert_alike(one, other, f"{place}[{k}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-6, nan_ok=True), place
    else:
        assert found == expected, place


@pytest.mark.parametrize(
    ("data", "settings"),
    [
        ("t4:200", {}),
        ("t4:200", {"n_clusters": 6, "focal_sets": "full", "alpha": 0.2}),
        ("half_rings:200", {"n_clusters": 2, "focal_sets": "simple", "delta": 3.0, "iteration": 1}),
        ("two_class:200:2", {"n_clusters": 3, "beta": 1.5, "iteration": 0}),
    ],
)
def test_the_picture_is_that_of_the_explorer(page, files, data, settings):
    model = ECMModel(data, **settings)
    start = tuple(tuple(float(f"{x:.6g}") for x in place) for place in model.start)  # as the page rounds them
    model = ECMModel(data, **settings | {"start": start})
    text = files["ecm"].read_text("utf-8")
    end = "</script>\n</body>"
    page.set_content(text.replace(end, SHOWN + end))
    page.wait_for_function("() => window.shown")
    state = {
        "data": data,
        "c": model.n_clusters,
        "sets": model.focal_sets,
        **{name: getattr(model, name) for name in ("alpha", "beta", "delta")},
        "start": [list(place) for place in start],
        "iteration": settings.get("iteration", 10**6),
    }
    found = page.evaluate("state => { shown.begin(state); shown.completeRun(); return shown.get(); }", state)
    expected = plain(packed(ecm_scene(model.fitted)))
    expected.pop("objects")
    expected["evidence"] |= {"templates": [], "which": [], "numbers": []}  # sentences have their own test
    found["evidence"] |= {"templates": [], "which": [], "numbers": []}
    assert_alike(found, expected)


def test_settings_are_in_the_address_and_come_back(opened, files):
    page = opened("ecm", "data=two_class:200:2&c=3&alpha=0.5&delta=4&sets=full&iteration=2")
    texts = ("#readings", "#code", "#iteration-value")
    shown = [page.locator(name).text_content() for name in texts]
    assert "ECM(3, alpha=0.5, beta=2, delta=4" in shown[1] and "max_iter=2" in shown[1]
    address = page.url
    opened("ecm", address.partition("#")[2])
    assert [page.locator(name).text_content() for name in texts] == shown
    opened("ecm", "data=../x&c=1e9&alpha=nan&beta=-3&delta=&sets=all&start=1,2&iteration=-4")
    assert page.locator("#c-value").inner_text() == "6" and page.locator("#beta-value").inner_text() == "1.1"
    assert files["ecm"].stat().st_size < MOST_BYTES and files["board"].stat().st_size < MOST_BYTES


def test_the_program_of_the_page_gives_its_picture(opened):
    page = opened("ecm", "c=3&beta=1.7&iteration=4")
    program = page.locator("#code").text_content().splitlines()
    names = {}
    exec("\n".join(program[:-1]), names)
    page.locator(CANVAS).focus()
    page.keyboard.press("PageDown")  # a prototype
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    i = int(page.locator(DETAILS).inner_text().splitlines()[0].removeprefix("object "))
    reason = names["fit"].partition_.explain(i).reason
    assert page.locator(REASON).inner_text() == f"{reason[0].upper()}{reason[1:]}."


def test_a_finger_drags_a_prototype_on_a_phone(browser, files):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(files["ecm"].as_uri())
    page.wait_for_function(CANVAS_DRAWN)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    before = page.locator("#code").text_content()
    page.locator(CANVAS).scroll_into_view_if_needed()
    box = page.locator(CANVAS).bounding_box()
    page.locator(CANVAS).focus()
    page.keyboard.press("PageDown")
    ring = page.locator(f"{CANVAS} .handle circle").first
    x, y = box["x"] + float(ring.get_attribute("cx")), box["y"] + float(ring.get_attribute("cy"))
    finger = context.new_cdp_session(page)

    def touch(kind, *places):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", {"x": x, "y": y})
    for k in range(1, 6):
        touch("touchMove", {"x": x + 8 * k, "y": y + 4 * k})
    touch("touchEnd")
    page.wait_for_function("before => document.getElementById('code').textContent !== before", arg=before)
    page.get_by_role("button", name="End").click()
    assert page.locator("#iteration-value").inner_text() != "0"
    context.close()


def test_the_board_gives_the_reason_why_it_refuses_a_mass(opened):
    page = opened("board", "c=3&masses=10,30,0,0,40,0,0")
    assert page.locator("#rest").inner_text() == "The rest is on Ω: 0.20"
    slider = page.locator("#sliders input").nth(2)
    slider.focus()
    page.keyboard.press("End")
    assert page.locator("#message").inner_text().startswith("{2} gets 0.2: the other sets leave no more.")
    assert page.locator("#rest").inner_text() == "The rest is on Ω: 0.00"
    masses = np.array([0.1, 0.3, 0.2, 0.0, 0.4, 0.0, 0.0, 0.0])
    one = CredalPartition(masses[None], FocalSets.full(3))
    assert page.locator("#decisions li").all_inner_texts() == decisions(one).split("<br>")
    rows = page.locator("#readings tr").all_inner_texts()
    for k, row in enumerate(rows):
        numbers = (one.belief({k})[0], one.contour[0, k], one.pignistic[0, k])
        assert row.split() == [f"{{{k + 1}}}", *(f"{value:.2f}" for value in numbers)]
