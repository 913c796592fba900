"""Write the notebooks of the course and the page for teachers from credalbench/learn/lessons.

Usage::

    python tools/lessons.py            # rewrite the files that differ
    python tools/lessons.py --check    # only list the files that differ, with exit code 1
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.learn.course import COURSE  # noqa: E402
from credalbench.learn.source import read_lesson  # noqa: E402
from credalbench.learn.writing import notebook_text, teachers_page  # noqa: E402

NOTEBOOKS, TEACHERS = ROOT / "notebooks" / "learn", ROOT / "docs" / "teaching.md"


def expected_files() -> dict[Path, str]:
    """Return the expected contents of each file."""
    lessons = [read_lesson(name) for name in COURSE]
    notebooks = {NOTEBOOKS / lesson.file_name: notebook_text(lesson) for lesson in lessons}
    return notebooks | {TEACHERS: teachers_page(lessons)}


def outdated_files() -> list[Path]:
    """Return the files that differ from their expected contents, and notebooks without a lesson."""
    files = expected_files()
    differ = [path for path, text in files.items() if not path.is_file() or path.read_text("utf-8") != text]
    return differ + sorted(set(NOTEBOOKS.glob("*.ipynb")) - set(files))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a file differs")
    check, differ, files = parser.parse_args().check, outdated_files(), expected_files()
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
