"""What a hostile page sends: values, states and files that ask for a file of the machine, or for too much."""

import json

import numpy as np

#: A word that only the files of the machine have.
CANARY = "canary4711"
#: Numbers, texts and structures that no control has.
ODD = (1e308, -1e308, 2**70, 10**400, 10**9, float("nan"), float("inf"), "²", "x" * 5000, None, True, [], {})
ODD += ([[]], [[[[1e308]]]], [None] * 300, {"a": {"b": [1]}}, [{"tool": 1, "rectangle": [0, 0, 1e9, 1e9]}])
ODD += (
    "t4:1000000000",
    "overlapping:200:x",
    "overlapping:200:" + "9" * 400,
    "phantom:²",
    "two_class:9999999:2",
)
NAMES = ("grades.csv", "grades.txt", "grades", "grades.json", "grades.pkl", "grades.npy")


def machine_files(folder):
    """Write files of several kinds, which could all be read as a table, into a new folder; return it."""
    folder.mkdir()
    rows = [f"0,0,{CANARY}", f"0,1,{CANARY}", f"1,0,{CANARY}", "9,9,b", "9,8,b", "8,9,b"]
    for name in NAMES[:-1]:
        (folder / name).write_text("\n".join(["u,v,class", *rows, ""]))
    np.save(folder / NAMES[-1], np.arange(36.0).reshape(6, 6))
    return folder


def paths(folder):
    """Return the files of a folder in the ways in which a message may write them."""
    here = folder / NAMES[0]
    forms = [here, f"file://{here}", f"{folder}/x/../grades.csv", "./grades.csv", "~/grades.csv", f"{here}\0"]
    forms += [f" {here}", f"{folder}/*.csv", folder, f"{folder}/", "/etc/passwd", "/dev/zero"]
    return [str(form) for form in (*forms, *NAMES, *(folder / name for name in NAMES))]


def hostile_state(model, folder, seed):
    """Return the contents of a file for Open."""
    rng = np.random.default_rng(seed)
    names, values = paths(folder), [*paths(folder), *ODD]
    name, parameters = names[seed % len(names)], list(model.parameters())

    def drawn():
        return values[rng.integers(len(values))]

    text = "u,v\n" + "".join(f"{i},{i * i % 7}\n" for i in range(9))
    own = {"data": "mine.csv", "own": text}
    kinds = [
        {"data": name},
        {"data": name, "own": drawn()},
        {"data": name, "own": text, "answers": {"source": name, "name": name}},
        own | {"answers": {"encoding": name, "limits": None}},
        own | {"answers": {"columns": drawn(), "max_objects": 10**9}},
        own | {"answers": {"na_values": drawn(), "missing": drawn()}},
        own | {"answers": {"random_state": drawn(), "delimiter": drawn(), "kind": name}},
        {"own": name},
        {"explorer": name},
        model.state() | {parameters[rng.integers(len(parameters))]: drawn()},
        {parameters[rng.integers(len(parameters))]: drawn() for _ in range(3)},
        {"data": drawn()},
        [name],
    ]
    return json.dumps(kinds[seed % len(kinds)]).encode()


def hostile_files(folder):
    """Return contents and names of files for the button of tables and images."""
    names = paths(folder)
    contents = [b"", b"\0" * 100, names[0].encode(), f"u,v\n{names[0]},1\n{names[0]},2\n3,4\n".encode()]
    contents += [b"PK\x03\x04" + bytes(50), b"\x1f\x8b" + bytes(50), b"%!PS\n(grades) run\n"]
    contents += [f'<svg><image href="{names[0]}"/></svg>'.encode(), b"u,v\n0,0\n0,1\n5,5\n6,6\n"]
    return [(contents[i % len(contents)], name) for i, name in enumerate(names)]
