"""Pages of polls: one for all users of a class, and one whose address only the teacher has."""

import hmac
import json
from itertools import groupby
from operator import itemgetter

from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from .page_templates import template
from .polls import Polls, Refused
from .settings import POLL, START, TEACHER

#: The cookie with the number of a browser in a poll, and the most bytes of a request.
COOKIE, MOST_BYTES = "credalbench-poll", 1000


class PollHandler(JupyterHandler):
    """Base of the handlers of polls; a refused request is answered with its reason in JSON."""

    def initialize(self, polls: Polls, key: str) -> None:
        self.polls, self._key = polls, key

    def show(self, name: str, **values: object) -> None:
        """Write a page."""
        values |= {"start": url_path_join(self.base_url, START), "xsrf": self.xsrf_token.decode()}
        self.finish(template(name).render(**values))

    def send(self, values: dict[str, object]) -> None:
        """Write values in JSON."""
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(values))

    def refuse(self, refused: Refused) -> None:
        """Write the reason why a request is refused."""
        self.set_status(refused.status)
        self.send({"refused": str(refused)})

    def received(self) -> dict[str, object]:
        """Return the values of a request; refuse what is no short JSON object."""
        try:
            values = json.loads(self.request.body) if len(self.request.body) <= MOST_BYTES else None
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise Refused(400, f"expected a JSON object of at most {MOST_BYTES} bytes")
        return values

    def expect_teacher(self, key: str) -> None:
        """Answer as if there were no such page, unless the address has the teacher's key."""
        if not hmac.compare_digest(key.encode(), self._key.encode()):
            raise HTTPError(404)


class StudentPage(PollHandler):
    """Handler of the page on which a class answers."""

    @authenticated
    def get(self) -> None:
        """Write the page."""
        self.show("poll", teacher=False, state=url_path_join(self.base_url, POLL, "state"))


class StudentState(PollHandler):
    """Handler of what a student sees, and of the answer of a browser."""

    @authenticated
    def get(self) -> None:
        """Write the open poll; a browser without a number gets one."""
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
        """Take the answer of the browser, and write the poll."""
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
        self.show("poll", teacher=True, lessons=lessons, state=state)


class TeacherState(PollHandler):
    """Handler of what the teacher sees and does."""

    @authenticated
    def get(self, key: str) -> None:
        """Write the poll with its answers so far."""
        self.expect_teacher(key)
        self.send(self.polls.for_teacher())

    @authenticated
    def post(self, key: str) -> None:
        """Open, reveal or close a poll."""
        self.expect_teacher(key)
        acts = {"reveal": self.polls.reveal, "close": self.polls.close}
        try:
            values = self.received()
            act = values.get("act")
            if act == "open":
                self.polls.open(values.get("question"))
            elif isinstance(act, str) and act in acts:
                acts[act]()
            else:
                raise Refused(400, f"expected act as open, {' or '.join(acts)}")
        except Refused as refused:
            self.refuse(refused)
        else:
            self.send(self.polls.for_teacher())
