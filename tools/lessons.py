"""Write the notebooks of the course and the page for teachers from credalbench/learn/lessons.

Usage::

    python tools/lessons.py            # rewrite the files that differ
    python tools/lessons.py --check    # only say which differ; the exit code is 1 then
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from credalbench.learn.course import COURSE
from credalbench.learn.source import read_lesson
from credalbench.learn.writing import notebook_text, teachers_page

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS, TEACHERS = ROOT / "notebooks" / "learn", ROOT / "docs" / "teaching.md"


def wanted() -> dict[Path, str]:
    """What each file should hold."""
    lessons = [read_lesson(name) for name in COURSE]
    return {NOTEBOOKS / one.file_name: notebook_text(one) for one in lessons} | {
        TEACHERS: teachers_page(lessons)
    }


def problems() -> list[Path]:
    """The files that differ from what they should hold, and notebooks of no lesson."""
    files = wanted()
    differ = [path for path, text in files.items() if not path.is_file() or path.read_text("utf-8") != text]
    return differ + sorted(set(NOTEBOOKS.glob("*.ipynb")) - set(files))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a file differs")
    check, differ, files = parser.parse_args().check, problems(), wanted()
    for path in [] if check else differ:
        if path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
        else:
            path.unlink()
    print(f"{'differ' if check else 'rewritten'}: {', '.join(path.name for path in differ) or 'none'}")
    return 1 if check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
