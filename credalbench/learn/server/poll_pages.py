"""Pages of polls: one for a class, and one for the teacher, who alone has its address."""

import hmac
import json
from itertools import groupby
from operator import itemgetter

from jinja2 import Environment, PackageLoader, Template
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from .polls import MOST_OPTIONS, MOST_TEXT, Polls, Refused
from .settings import POLL, START, TEACHER

#: The cookie with the number of a browser in a poll.
COOKIE = "credalbench-poll"
#: Largest number of bytes of a request by a student, and by the teacher, which may contain a question.
MOST_BYTES, MOST_TEACHER_BYTES = 1000, 5000


def template(name: str) -> Template:
    """Return the template of a page, which escapes the values that it shows."""
    pages = Environment(autoescape=True, loader=PackageLoader(__package__, "pages"))
    return pages.get_template(f"{name}.html.j2")


class PollHandler(JupyterHandler):
    """Base class of the handlers of polls; the answer to a refused request states the reason, in JSON."""

    def initialize(self, polls: Polls, key: str) -> None:
        self.polls, self._key = polls, key

    def show(self, name: str, **values: object) -> None:
        """Write a page."""
        values |= {"start": url_path_join(self.base_url, START), "xsrf": self.xsrf_token.decode()}
        self.finish(template(name).render(**values))

    def send(self, values: dict[str, object]) -> None:
        """Write values as JSON."""
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(values))

    def refuse(self, refused: Refused) -> None:
        """Write the reason why a request is refused."""
        self.set_status(refused.status)
        self.send({"refused": str(refused)})

    def received(self, most_bytes: int = MOST_BYTES) -> dict[str, object]:
        """Return the values of a request; raise `Refused` unless it is a short JSON object."""
        try:
            values = json.loads(self.request.body) if len(self.request.body) <= most_bytes else None
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise Refused(400, f"expected a JSON object of at most {most_bytes} bytes")
        return values

    def expect_teacher(self, key: str) -> None:
        """Raise the error of a missing page unless the address contains the teacher's key."""
        if not hmac.compare_digest(key.encode(), self._key.encode()):
            raise HTTPError(404)


class StudentPage(PollHandler):
    """Handler of the page on which a class answers."""

    @authenticated
    def get(self) -> None:
        """Write the page."""
        self.show("poll", teacher=False, state=url_path_join(self.base_url, POLL, "state"))


class StudentState(PollHandler):
    """Handler of the poll as a student sees it, and of the answer of a browser."""

    @authenticated
    def get(self) -> None:
        """Write the open poll, and give a number to a browser that has none."""
        try:
            browser = self.polls.joined(self.get_cookie(COOKIE))
        except Refused as refused:
            self.refuse(refused)
            return
        if browser is not None and browser != self.get_cookie(COOKIE):
            path = url_path_join(self.base_url, POLL)
            self.set_cookie(COOKIE, browser, path=path, httponly=True, samesite="Strict")
        self.send(self.polls.for_student(browser))

    @authenticated
    def post(self) -> None:
        """Accept the answer of the browser, and write the poll."""
        browser = self.get_cookie(COOKIE)
        try:
            values = self.received()
            self.polls.answer(browser, values.get("poll"), values.get("option"))
        except Refused as refused:
            self.refuse(refused)
        else:
            self.send(self.polls.for_student(browser))


class TeacherPage(PollHandler):
    """Handler of the teacher's page."""

    @authenticated
    def get(self, key: str) -> None:
        """Write the page with the questions."""
        self.expect_teacher(key)
        state = url_path_join(self.base_url, TEACHER, key, "state")
        asked = [(one["lesson"], place, one["text"]) for place, one in enumerate(self.polls.questions)]
        lessons = [
            (lesson, [(place, text) for _, place, text in group])
            for lesson, group in groupby(asked, key=itemgetter(0))
        ]
        limits = {"most_text": MOST_TEXT, "most_options": MOST_OPTIONS}
        self.show("poll", teacher=True, lessons=lessons, state=state, **limits)


class TeacherState(PollHandler):
    """Handler of the poll as the teacher sees and controls it."""

    @authenticated
    def get(self, key: str) -> None:
        """Write the poll with its answers so far."""
        self.expect_teacher(key)
        self.send(self.polls.for_teacher())

    @authenticated
    def post(self, key: str) -> None:
        """Open a poll with a question of a lesson or of the teacher, reveal it, or close it."""
        self.expect_teacher(key)
        try:
            values = self.received(MOST_TEACHER_BYTES)
            match values.get("act"):
                case "open":
                    self.polls.open(values.get("question"))
                case "ask":
                    self.polls.ask(values.get("text"), values.get("options"), values.get("right"))
                case "reveal":
                    self.polls.reveal()
                case "close":
                    self.polls.close()
                case _:
                    raise Refused(400, "expected act to be open, ask, reveal or close")
        except Refused as refused:
            self.refuse(refused)
        else:
            self.send(self.polls.for_teacher())
