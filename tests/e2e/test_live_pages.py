"""Pages that compute in the browser: what they show is what the estimators compute.

They work from a file, by touch and by keyboard, with a user's table, and the address keeps their settings."""

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import resolve_focal_sets
from credalbench.cluster.constrained.report import OUTCOMES, constraint_outcomes
from credalbench.datasets import make_two_class_cecm
from credalbench.explore.explorers.ecm import ECMModel, ecm_scene
from credalbench.explore.live import PAGES, write_live_page
from credalbench.explore.scene.scene import packed
from credalbench.learn.mass_board import decisions
from credalbench.metrics.external import adjusted_rand
from tests.e2e.on_the_page import CANVAS, CANVAS_DRAWN, DETAILS, REASON, SELECTED

pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("ignore")]

MOST_BYTES = 1_000_000
PHONE = {"width": 390, "height": 844}
N_SETTINGS = 100
#: The source of the canvas is at hand as ``window.source``.
HELD, AT_HAND = "return { held, mount };", "return { held: (some) => (window.source = held(some)), mount };"
#: The scene of a page, in lists of numbers.
SCENE = """() => {
  const plain = (value) => {
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return [...value].map(plain);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
  };
  return plain(source.get("scene"));
}"""
#: Open settings one after another; return the sentence and the masses of each.
TRY_ALL = """async addresses => {
  const found = [];
  for (const address of addresses) {
    const opened = new Promise((ready) => window.addEventListener("hashchange", ready, { once: true }));
    location.hash = address;
    await opened;
    const sentence = document.getElementById("sentence");
    while (sentence.textContent.startsWith("Fitting")) await new Promise((ready) => setTimeout(ready, 5));
    const { evidence, panels } = source.get("scene");
    const curve = panels.find(({ name }) => name === "curve")?.marks[0].path;
    found.push({ sentence: sentence.textContent, masses: evidence.masses.map((row) => [...row]), curve });
  }
  return found;
}"""
TYPES = {"float32": np.float32, "float64": np.float64, "int32": np.int32, "uint8": np.uint8}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    paths = {name: write_live_page(name, folder / f"{name}.html") for name in PAGES}
    assert max(path.stat().st_size for path in paths.values()) < MOST_BYTES
    for path in paths.values():
        text = path.read_text("utf-8")
        assert HELD in text
        path.write_text(text.replace(HELD, AT_HAND), "utf-8")
    return paths


@pytest.fixture
def opened(page, files):
    """Opens a page by its name and the settings in its address; asserts that it has no error, no request."""
    page.errors, page.requests = [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))

    def open_page(name, settings=""):
        page.goto("about:blank")
        page.goto(f"{files[name].as_uri()}#{settings}")
        page.wait_for_function(
            CANVAS_DRAWN if name != "board" else "() => document.querySelector('#readings tr')"
        )
        return page

    yield open_page
    assert page.errors == [] and {url.partition("#")[0] for url in page.requests} <= {
        "about:blank",
        *(path.as_uri() for path in files.values()),
    }


def sentence_of(page):
    return page.locator("#sentence").inner_text()


def program_of(page):
    """Run the Python program of a page but for its picture; return its partition."""
    names = {}
    exec("\n".join(page.locator("#code").text_content().splitlines()[:-1]), names)
    return names["fit"].partition_


def masses_of(page):
    return np.array(page.evaluate(SCENE)["evidence"]["masses"])


# -- what is shown is what the estimators compute --------------------------------------------------


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
def test_the_picture_of_ecm_is_that_of_the_explorer(opened, data, settings):
    model = ECMModel(data, **settings)
    start = tuple(tuple(float(f"{x:.6g}") for x in place) for place in model.start)  # as the page rounds them
    model = ECMModel(data, **settings | {"start": start})
    state = {"data": data, "c": model.n_clusters, "sets": model.focal_sets}
    state |= {name: getattr(model, name) for name in ("alpha", "beta", "delta")}
    state["start"] = ";".join(",".join(map(str, place)) for place in start)
    state |= {"iteration": settings["iteration"]} if "iteration" in settings else {}
    page = opened("ecm", "&".join(f"{name}={value}" for name, value in state.items()))
    if settings.get("iteration") == 0:  # the curve comes with the run
        page.get_by_role("button", name="End").click()
        page.get_by_role("button", name="Rewind").click()
    found = page.evaluate(SCENE)
    expected = plain(packed(ecm_scene(model.fitted)))
    expected.pop("objects")
    expected["panels"][0]["title"] = (
        expected["panels"][0]["title"].replace(", draw 0", "").replace(", draw 2", "")
    )
    for scene in (found, expected):
        scene["evidence"] |= {"templates": [], "which": [], "numbers": []}  # sentences have their own test
    assert_alike(found, expected)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("ecm", "c=3&beta=1.7&iteration=4"),
        ("evclus", "data=t4:150&d0=0.6&alpha=0.1&sets=pairs&moved=3,1.5,2&added=4,4;-1,2"),
        ("evclus", "data=butterfly&d0=0.9"),
        ("cecm", "xi=0.7&links=1-60m;20-150c;5-90m&metric=mahalanobis"),
        ("cecm", "data=t4:200&alpha=2&links=3-9c&metric=euclidean&sets=pairs"),
    ],
)
def test_the_program_of_a_page_gives_its_picture(opened, name, settings):
    page = opened(name, settings)
    partition = program_of(page)
    assert np.abs(partition.masses - masses_of(page)).max() < 1e-5  # starts are rounded to six digits
    page.locator(CANVAS).focus()
    page.keyboard.press("Escape")
    page.locator(CANVAS).press("ArrowRight")
    i = page.evaluate("() => source.get('selected')")
    if i is not None and name == "ecm":
        reason = partition.explain(i).reason
        assert page.locator(REASON).inner_text() == f"{reason[0].upper()}{reason[1:]}."
        assert page.locator(DETAILS).inner_text().startswith(f"object {i + 1}\n")


def random_settings(name, rng):
    c = int(rng.integers(2, 6))
    alpha, delta = rng.uniform(-1, 3), 10 ** rng.uniform(-0.3, 1.5)
    sets = str(rng.choice(["simple", "pairs"] if name == "evclus" else ["simple", "pairs", "full"]))
    settings = {"c": c, "sets": sets}
    if name == "ecm":
        settings |= {
            "alpha": alpha,
            "beta": rng.uniform(1.1, 4),
            "delta": delta,
            "iteration": rng.integers(0, 9),
        }
    elif name == "evclus":
        settings |= {"d0": rng.uniform(0.05, 1), "alpha": rng.uniform(0.02, 0.5)}
    elif name == "cecm":
        pairs = rng.permutation(200)[: 2 * rng.integers(0, 7)].reshape(-1, 2) + 1
        links = ";".join(f"{i}-{j}{rng.choice(['m', 'c'])}" for i, j in pairs)
        settings |= {"xi": rng.uniform(0, 0.99), "alpha": alpha, "delta": delta, "links": links}
        settings["metric"] = rng.choice(["euclidean", "mahalanobis"])
    else:
        settings = {"c": int(rng.integers(2, 9)), "alpha": alpha, "sets": "pairs"}
    return settings


def assert_counts(sentence, partition):
    """Compare the counts in words with the sets of largest mass."""
    n, c = partition.masses.shape[0], partition.n_clusters
    words = r"Of (\d+) objects, ([\d, and]+) are in clusters .*?, (\d+) (?:is|are) between"
    found = re.search(rf"{words} .*?(\d+) (?:is|are) (?:an )?outlier", sentence)
    inside, outliers = [int(word) for word in re.findall(r"\d+", found[2])], partition.outliers()
    chosen = partition.hard_credal()
    members = partition.focal_sets.membership[chosen]
    single = members.sum(axis=1) == 1
    assert int(found[1]) == n and int(found[4]) == outliers.sum()
    assert inside == [int((single & members[:, k]).sum()) for k in range(c)]
    assert int(found[3]) == (members.sum(axis=1) > 1).sum()


@pytest.mark.parametrize("name", ["evclus", "ecm", "cecm", "clusters"])
def test_the_sentence_is_true(opened, name):
    rng = np.random.default_rng(0)
    page, some = opened(name), [random_settings(name, rng) for _ in range(N_SETTINGS)]
    addresses = ["&".join(f"{key}={value}" for key, value in settings.items()) for settings in some]
    for settings, shown in zip(some, page.evaluate(TRY_ALL, addresses)):
        focal_sets = resolve_focal_sets(settings["sets"], settings["c"])
        partition = CredalPartition(np.array(shown["masses"]), focal_sets)
        sentence = shown["sentence"]
        assert_counts(sentence, partition)
        if name == "ecm":
            assert f"Nonspecificity {partition.nonspecificity():.2f}" in sentence
        if name == "cecm" and settings["links"]:
            links = re.findall(r"(\d+)-(\d+)([mc])", settings["links"])
            pairs, must = (
                np.array([[int(i) - 1, int(j) - 1] for i, j, _ in links]),
                np.array([k == "m" for *_, k in links]),
            )
            outcomes = constraint_outcomes(pairs, must, partition, labels_of(partition))
            counts = [int((outcomes == outcome).sum()) for outcome in OUTCOMES]
            assert re.search(
                r"(\d+) (?:is|are) met, (\d+) violated, and (\d+) met by", sentence
            ).groups() == tuple(map(str, counts))
        if name == "clusters":
            values = dict(shown["curve"])
            least = min(values, key=values.get)
            dips = [c for c in range(3, 8) if values[c] < min(values[c - 1], values[c + 1])]
            assert f"least with {least} clusters ({values[least]:.3f})" in sentence
            assert values[settings["c"]] == pytest.approx(partition.nonspecificity(), abs=1e-9)
            assert [int(c) for c in re.findall(r"(\d) clusters \(", sentence.partition(";")[0])] == dips


# -- the address -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "shown"),
    [
        (
            "ecm",
            "data=two_class:200:2&c=3&alpha=0.5&delta=4&sets=full&iteration=2",
            "ECM(3, alpha=0.5, beta=2, delta=4",
        ),
        ("evclus", "data=butterfly&d0=0.8&moved=2,1,3", "X[1] = [1, 3]"),
        ("cecm", "c=3&xi=0.9&links=1-9m", "must_link=[(0, 8)]"),
        ("clusters", "data=t4:200&c=5&alpha=1", "alpha=1"),
    ],
)
def test_settings_are_in_the_address_and_come_back(opened, name, settings, shown):
    page = opened(name, settings)
    page.wait_for_function("() => !document.getElementById('sentence').textContent.startsWith('Fitting')")
    words = sentence_of(page), page.locator("#code").text_content()
    assert shown in words[1]
    address = page.url.partition("#")[2]
    opened(name, address)
    page.wait_for_function("() => !document.getElementById('sentence').textContent.startsWith('Fitting')")
    assert (sentence_of(page), page.locator("#code").text_content()) == words
    assert page.url.partition("#")[2] == address


def test_a_wrong_address_is_mended(opened):
    page = opened("ecm", "data=../x&c=1e9&alpha=nan&beta=-3&delta=&sets=all&start=1,2&iteration=-4")
    assert page.locator("#c-value").inner_text() == "6" and page.locator("#beta-value").inner_text() == "1.1"
    opened("cecm", "links=1-1m;9-999c;2-3m")
    assert "must_link=[(1, 2)], cannot_link=[]" in page.locator("#code").text_content()


# -- what one does there ---------------------------------------------------------------------------


def test_objects_of_evclus_are_moved_and_added(opened):
    page = opened("evclus", "data=butterfly")
    canvas = page.locator(CANVAS)
    canvas.focus()
    page.keyboard.press("PageDown")  # the first object
    page.keyboard.press("ArrowRight")
    assert "moved=1%2C" in page.url and "X[0] = [" in page.locator("#code").text_content()
    page.get_by_role("button", name="Add an object").click()
    assert sentence_of(page).startswith("Of 13 objects") and "added=" in page.url
    box = canvas.bounding_box()
    canvas.dblclick(position={"x": 0.3 * box["width"], "y": 0.3 * box["height"]})
    assert sentence_of(page).startswith("Of 14 objects")
    assert np.abs(program_of(page).masses - masses_of(page)).max() < 1e-5
    page.get_by_role("button", name="Undo all moves").click()
    assert sentence_of(page).startswith("Of 12 objects") and "moved" not in page.url


def test_two_clicks_link_two_objects_of_cecm(opened):
    page = opened("cecm")
    for kind in ("must", "cannot"):
        page.locator("#kind").select_option(label=f"{kind}-link")
        page.locator(CANVAS).focus()
        for _ in range(2):
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        assert f"{kind}_link=[(" in page.locator("#code").text_content()
    assert "Of 2 constraints, " in sentence_of(page) and "links=" in page.url
    page.get_by_role("button", name="Remove all links").click()
    assert "There are no constraints yet" in sentence_of(page)


def test_true_links_change_the_clusters_of_cecm(opened):
    """Without links, the clusters are the wrong halves; three true links are usually enough."""
    y, rng = make_two_class_cecm(200, random_state=2).y, np.random.default_rng(3)
    page, found = opened("cecm"), []
    for _ in range(10):
        pairs = rng.permutation(200)[:6].reshape(-1, 2)
        links = ";".join(f"{i + 1}-{j + 1}{'mc'[int(y[i] != y[j])]}" for i, j in pairs)
        shown = page.evaluate(TRY_ALL, [f"xi={xi}&links={links}" for xi in (0, 0.5)])
        partitions = [CredalPartition(np.array(one["masses"]), FocalSets.full(2)) for one in shown]
        found.append([adjusted_rand(y, one.labels("pignistic")) for one in partitions])
    without, weighed = np.array(found).T
    assert (without < 0.1).all() and (weighed > 0.9).sum() >= 8


def test_a_click_on_the_curve_shows_its_clusters(opened):
    page = opened("clusters")
    page.wait_for_function("() => !document.getElementById('sentence').textContent.startsWith('Fitting')")
    page.evaluate("() => source.send({ event: 'click', object: null, panel: 'curve', x: 6.2, y: 0.1 })")
    assert page.locator("#c-value").inner_text() == "6" and "clusters 1, 2, 3, 4, 5 and 6," in sentence_of(
        page
    )


def test_a_finger_drags_a_prototype_on_a_phone(browser, files):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(files["ecm"].as_uri())
    page.wait_for_function(CANVAS_DRAWN)
    before = page.locator("#code").text_content()
    page.locator(CANVAS).scroll_into_view_if_needed()
    page.locator(CANVAS).focus()
    page.keyboard.press("PageDown")
    ring = page.locator(f"{CANVAS} .handle circle").first.bounding_box()
    x, y = ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2
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


def test_two_taps_link_two_objects_on_a_phone(browser, files):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(files["cecm"].as_uri())
    page.wait_for_function(CANVAS_DRAWN)
    page.locator(CANVAS).scroll_into_view_if_needed()
    page.locator(CANVAS).focus()
    places = []
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        places.append(page.evaluate(SELECTED))
    page.keyboard.press("Escape")
    for place in places:
        page.touchscreen.tap(*place)
    assert "Of 1 constraint, " in sentence_of(page)
    context.close()


def test_the_board_is_touched_on_a_phone(browser, files):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(files["board"].as_uri())
    slider = page.locator("#sliders input").nth(1)
    box = slider.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.locator("#rest").inner_text() == "The rest is on Ω: 0.50"
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_shows_picture_and_slider_together(browser, files, name):
    page = browser.new_page(viewport=PHONE)
    page.goto(files[name].as_uri())
    page.wait_for_selector("#controls input, #sliders input")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    if name != "board":
        page.wait_for_function(CANVAS_DRAWN)
        page.locator("#controls input").last.scroll_into_view_if_needed()
        slider, picture = (
            page.locator("#controls input").last.bounding_box(),
            page.locator(CANVAS).bounding_box(),
        )
        assert 0 <= slider["y"] <= PHONE["height"] and picture["y"] + 100 < slider["y"]
    page.close()


@pytest.fixture(scope="module")
def static_server(files):
    """The address of a plain static server of the folder of the pages."""
    folder = next(iter(files.values())).parent
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("name", PAGES)
def test_a_plain_static_server_is_enough(page, static_server, name):
    errors, requests = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{static_server}/{name}.html")
    page.wait_for_function("() => document.getElementById('sentence').textContent.length > 20")
    page.get_by_role("button", name="Copy the address").click()
    page.get_by_role("button", name=re.compile("Copied|from the address bar")).wait_for()
    assert errors == [] and {request.rpartition("/")[0] for request in requests} <= {static_server}


@pytest.mark.parametrize("name", ["evclus", "ecm", "cecm", "clusters"])
def test_a_landscape_phone_shows_picture_and_sliders(browser, files, name):
    page = browser.new_page(viewport={"width": PHONE["height"], "height": PHONE["width"]})
    page.goto(files[name].as_uri())
    page.wait_for_function(CANVAS_DRAWN)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["height"]
    page.locator(".columns").evaluate("columns => columns.scrollIntoView()")
    stage = page.locator(".credalbench-stage")
    picture, slider = stage.bounding_box(), page.locator("#controls input").first.bounding_box()
    assert picture["x"] + picture["width"] <= slider["x"] and picture["height"] > 0.7 * PHONE["width"]
    assert 0 <= picture["y"] <= PHONE["width"] - picture["height"]
    cue = page.get_by_text("scroll ▾")
    assert cue.is_visible()
    stage.evaluate("stage => stage.scrollTo(0, stage.scrollHeight)")
    cue.wait_for(state="hidden")
    page.close()


# -- a user's table --------------------------------------------------------------------------------


def use(page, text):
    page.locator("#own").evaluate("own => { own.open = true; }")
    page.locator("#table").fill(text)
    page.get_by_role("button", name="Use it").click()


@pytest.mark.parametrize("name", ["evclus", "ecm", "cecm", "clusters"])
def test_a_users_table_is_read(opened, name):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 3)) + 6 * np.repeat(np.eye(3), 20, axis=0)
    text = "name;a;b;c\n" + "\n".join(
        f"n{i};" + ";".join(f"{x:.4f}" for x in row) for i, row in enumerate(rows)
    )
    page = opened(name)
    use(page, text.replace(".", ","))
    page.wait_for_function("() => document.getElementById('sentence').textContent.includes('Of 60 objects')")
    assert "your_table.csv" in page.locator("#code").text_content() and "data=own" in page.url
    page.locator(CANVAS).focus()
    page.keyboard.press("ArrowRight")
    assert re.match(r"n\d+\n", page.locator(DETAILS).inner_text())
    page.reload()
    page.wait_for_function("() => document.getElementById('sentence').textContent.includes('Of 60 objects')")
    use(page, "a,b\n1,red\n2,blue\n3,green")
    assert "credalbench cluster FILE" in page.locator("#refused").inner_text()
    assert "Of 60 objects" in sentence_of(page)  # the picture stays


@pytest.mark.parametrize("name", ["evclus", "ecm", "cecm", "clusters"])
def test_tables_at_the_limits_are_shown_or_refused(opened, name):
    """Few, equal, constant, tiny, huge and offset rows, with settings at their ends."""
    rng = np.random.default_rng(0)
    page = opened(name)
    for k in range(16):
        X = rng.normal(size=(int(rng.integers(3, 9)), int(rng.integers(1, 4))))
        X[:, 0] = 3 if k % 8 == 1 else X[:, 0]
        X = X[rng.integers(0, 2, len(X))] if k % 8 == 2 else np.round(X) if k % 8 == 3 else X
        X *= {4: 1e-170, 5: 1e90, 6: 1e-3}.get(k % 8, 1)
        X += 1e9 * (k % 8 == 6)
        X = np.abs(X[:, None] - X).sum(axis=2) if k % 3 == 0 else X
        use(page, "\n".join(",".join(map(repr, row)) for row in X.tolist()))
        for slider in page.locator("#controls input").all():
            slider.press(str(rng.choice(["Home", "End"])))
        page.wait_for_function("() => !document.getElementById('sentence').textContent.startsWith('Fitting')")
        shown = " ".join([sentence_of(page), *page.locator("output").all_inner_texts()])
        assert not re.search("NaN|Infinity|undefined", shown)


def test_a_matrix_is_for_evclus(opened):
    X = np.random.default_rng(2).normal(size=(30, 2))
    D = np.linalg.norm(X[:, None] - X, axis=2)
    text = "\n".join(" ".join(f"{d:.6f}" for d in row) for row in D)
    page = opened("evclus")
    use(page, text)
    assert (
        sentence_of(page).startswith("Of 30 objects")
        and 'metric="precomputed"' in page.locator("#code").text_content()
    )
    page = opened("ecm")
    use(page, text)
    assert "The page of EVCLUS takes it" in page.locator("#refused").inner_text()


# -- the board -------------------------------------------------------------------------------------


def assert_board_is_true(page, one):
    """Compare what the board says with the readings of a partition of one object."""
    assert page.locator("#decisions li").all_inner_texts() == decisions(one).split("<br>")
    reason = re.sub("^outlier", "an outlier", one.explain(0).reason)
    assert sentence_of(page) == f"The object is {reason}."
    for k, row in enumerate(page.locator("#readings tr").all_inner_texts()):
        numbers = (one.belief({k})[0], one.contour[0, k], one.pignistic[0, k])
        shown = [float(value) for value in row.split()[1:]]
        assert row.split()[0] == f"{{{k + 1}}}"
        np.testing.assert_allclose(shown, numbers, atol=0.005 + 1e-9)


def test_the_board_is_true(opened):
    rng = np.random.default_rng(0)
    page = opened("board")
    for _ in range(N_SETTINGS):
        focal_sets = FocalSets.full(int(rng.integers(2, 5)))
        masses = 5 * rng.multinomial(20, rng.dirichlet(np.full(len(focal_sets), 0.3)))
        page.evaluate(
            """address => new Promise((ready) => {
              window.addEventListener("hashchange", ready, { once: true });
              location.hash = address; })""",
            f"c={focal_sets.n_clusters}&masses={','.join(map(str, masses[:-1]))}",
        )
        assert_board_is_true(page, CredalPartition(masses[None] / 100, focal_sets))


def test_the_board_gives_the_reason_why_it_refuses_a_mass(opened):
    page = opened("board", "c=3&masses=10,30,0,0,40,0,0")
    assert page.locator("#rest").inner_text() == "The rest is on Ω: 0.20"
    slider = page.locator("#sliders input").nth(2)
    slider.focus()
    page.keyboard.press("End")
    assert page.locator("#message").inner_text().startswith("{2} gets 0.2: the other sets leave no more.")
    assert page.locator("#rest").inner_text() == "The rest is on Ω: 0.00"
    masses = np.array([0.1, 0.3, 0.2, 0.0, 0.4, 0.0, 0.0, 0.0])
    assert_board_is_true(page, CredalPartition(masses[None], FocalSets.full(3)))
    address = page.url.partition("#")[2]
    assert opened("board", address).locator("#rest").inner_text() == "The rest is on Ω: 0.00"
    page.locator("#c").select_option("2")
    assert sentence_of(page) == "The object is between 1 and 2: 1.00 on Ω."
