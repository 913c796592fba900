"""Polls of a class: one answer a browser, counted, revealed, forgotten; what is not allowed is refused."""

import http.cookiejar
import json
import re
import threading
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from tornado.web import HTTPError

from credalbench.learn import COURSE, Choice, lesson
from credalbench.learn.server import polls as module
from credalbench.learn.server.polls import Polls, poll_questions
from credalbench.learn.source import read_lesson
from tests.learn.server.served import explore

QUESTIONS = [
    {"lesson": "1", "text": "Yes?", "options": ["yes", "no", "unknown"], "right": 2},
    {"lesson": "1", "text": "<script>alert(1)</script>", "options": ["a", "b"], "right": 0},
]


@pytest.fixture
def polls():
    polls = Polls(QUESTIONS)
    polls.open(0)
    return polls


def refused(status, act, *values):
    with pytest.raises(HTTPError) as error:
        act(*values)
    assert error.value.status_code == status
    return str(error.value)


# -- the questions of the lessons ----------------------------------------------------------------------


def test_every_choice_of_the_course_can_be_asked():
    questions, expected = poll_questions(), []
    for name in COURSE:
        text = read_lesson(name)
        exercises = [getattr(lesson(name), shown) for shown in text.shown]
        expected += [(text.title, one) for one in exercises if isinstance(one, Choice)]
    assert len(questions) == len(expected) > 20
    for question, (title, exercise) in zip(questions, expected):
        assert question["lesson"] == title
        letter = exercise.letters[question["right"]]
        assert letter == exercise.reference
        assert len(question["options"]) == len(exercise.options) >= 2
        assert not set("*`$\\") & set("".join([question["text"], *question["options"]]))


# -- the poll --------------------------------------------------------------------------------------------


def test_answers_are_counted_as_they_come_and_shown_to_students_once_revealed(polls):
    one, two = polls.joined(None), polls.joined(None)
    assert polls.for_student(one) == {
        **{name: QUESTIONS[0][name] for name in ("lesson", "text", "options")},
        **{"poll": 1, "revealed": False, "mine": None},
    }
    polls.answer(one, 1, 0)
    assert polls.for_teacher()["counts"] == [1, 0, 0]
    polls.answer(two, 1, 2)
    assert polls.for_teacher()["counts"] == [1, 0, 1]
    assert polls.for_student(two)["mine"] == 2 and "counts" not in polls.for_student(two)
    polls.reveal()
    shown = polls.for_student(one)
    assert (shown["counts"], shown["right"], shown["mine"]) == ([1, 0, 1], 2, 0)


def test_a_browser_has_one_answer_which_it_may_change_until_they_are_revealed(polls):
    one = polls.joined(None)
    assert polls.joined(one) == one
    for place in (0, 1, 1, 2):
        polls.answer(one, 1, place)
        assert sum(polls.for_teacher()["counts"]) == 1
    polls.reveal()
    assert "revealed" in refused(409, polls.answer, one, 1, 0)
    assert polls.for_teacher()["counts"] == [0, 0, 1]


def test_a_closed_poll_leaves_nothing_behind(polls):
    one = polls.joined(None)
    polls.answer(one, 1, 0)
    polls.close()
    assert vars(polls)["_poll"] is None
    assert polls.for_teacher() == polls.for_student(one) == {"poll": None}
    assert polls.joined(one) is None
    refused(409, polls.answer, one, 1, 0)
    refused(409, polls.reveal)
    polls.open(1)
    assert polls.for_teacher()["counts"] == [0, 0]
    assert polls.joined(one) != one  # numbers of two polls cannot be linked
    refused(403, polls.answer, one, 2, 0)


def test_another_question_takes_no_answers_to_the_last_one(polls):
    polls.open(1)
    browser = polls.joined(None)
    refused(409, polls.answer, browser, 1, 0)
    polls.answer(browser, 2, 0)


@pytest.mark.parametrize("value", [-1, 3, 1.0, True, "0", None, [0], {"a": 1}, 10**30, float("nan")])
def test_bad_options_questions_and_numbers_are_refused_and_count_nothing(polls, value):
    browser = polls.joined(None)
    assert "from 0 to 2" in refused(400, polls.answer, browser, 1, value)
    refused(400, polls.open, value)
    refused(409, polls.answer, browser, value if value is not True else 1.0, 0)
    assert polls.for_teacher()["poll"] == 1 and polls.for_teacher()["counts"] == [0, 0, 0]


@pytest.mark.parametrize("browser", [None, "", "guessed", "x" * 10_000])
def test_a_browser_that_the_server_does_not_know_is_refused(polls, browser):
    refused(403, polls.answer, browser, 1, 0)
    assert sum(polls.for_teacher()["counts"]) == 0


def test_a_question_of_the_teacher_is_asked_revealed_and_forgotten(polls):
    polls.ask("  Ready\nfor   more? ", ["yes", " no "], 1)
    browser = polls.joined(None)
    shown = polls.for_student(browser)
    assert (shown["text"], shown["options"], shown["lesson"]) == ("Ready for more?", ["yes", "no"], "")
    assert "right" not in shown
    polls.answer(browser, shown["poll"], 1)
    polls.reveal()
    assert polls.for_student(browser)["right"] == 1 and polls.for_teacher()["counts"] == [0, 1]
    polls.close()
    assert polls.for_teacher() == {"poll": None} and polls.questions is QUESTIONS and len(QUESTIONS) == 2
    assert "Ready" not in repr(vars(polls))
    polls.ask("No answer is right?", ["a", "b"])
    polls.reveal()
    assert polls.for_student(None)["right"] is None


LONG = module.MOST_TEXT, module.MOST_OPTION


def test_a_question_may_be_as_long_as_the_limits():
    polls, options = Polls([]), [f"{k}" + "o" * (LONG[1] - 1) for k in range(module.MOST_OPTIONS)]
    polls.ask("q" * LONG[0], options, None)
    assert polls.for_teacher()["options"] == options


@pytest.mark.parametrize(
    ("text", "options", "right"),
    [
        ("", ["a", "b"], None),
        (" \n ", ["a", "b"], None),
        (None, ["a", "b"], None),
        (["q"], ["a", "b"], None),
        ("q" * (LONG[0] + 1), ["a", "b"], None),
        ("q\x00", ["a", "b"], None),
        ("q\ud800", ["a", "b"], None),
        ("q", ["a"], None),
        ("q", [*"abcdefg"], None),
        ("q", "ab", None),
        ("q", {"a": 1, "b": 2}, None),
        ("q", None, None),
        ("q", ["a", ""], None),
        ("q", ["a", 1], None),
        ("q", ["a", ["b"]], None),
        ("q", ["a", "b" * (LONG[1] + 1)], None),
        ("q", ["a", "b\x1b[0m"], None),
        ("q", ["a", " a "], None),
        ("q", ["a", "b"], 2),
        ("q", ["a", "b"], -1),
        ("q", ["a", "b"], True),
        ("q", ["a", "b"], "0"),
        ("q", ["a", "b"], 1.0),
    ],
)
def test_a_question_that_is_none_is_refused_and_the_open_poll_stays(polls, text, options, right):
    assert "expected" in refused(400, polls.ask, text, options, right)
    assert polls.for_teacher()["text"] == QUESTIONS[0]["text"]


def test_too_many_browsers_are_refused_and_the_others_go_on(polls, monkeypatch):
    monkeypatch.setattr(module, "MOST_BROWSERS", 3)
    known = [polls.joined(None) for _ in range(3)]
    assert "maximum number of browsers, 3" in refused(429, polls.joined, None)
    refused(429, polls.joined, "guessed")
    for browser in known:
        polls.answer(browser, 1, 0)
    assert polls.for_teacher()["counts"] == [3, 0, 0]
    assert [polls.joined(browser) for browser in known] == known


# -- the server ------------------------------------------------------------------------------------------


class Browser:
    """A browser with its own cookies, which has opened the page of polls."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.root, self.token = f"{parts.scheme}://{parts.netloc}", parts.query
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )
        self.xsrf = ""
        page = self.get("/start/poll?" + self.token)[1]
        self.xsrf = re.search(r'XSRF = "([^"]*)"', page)[1]

    def get(self, path):
        return self._ask(urllib.request.Request(self.root + path))

    def post(self, path, values, **headers):
        body = values if isinstance(values, bytes) else json.dumps(values).encode()
        headers = {"Content-Type": "application/json", "X-XSRFToken": self.xsrf} | headers
        return self._ask(urllib.request.Request(self.root + path, body, headers))

    def _ask(self, request):
        try:
            with self.opener.open(request) as found:
                return found.status, found.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address for the class and the path of the teacher's page."""
    pytest.importorskip("voila", reason="Voila is not installed")
    with explore(tmp_path_factory.mktemp("class"), "--class") as (process, address):
        lines = iter(process.stdout.readline, "")
        teacher = next(line for line in lines if "For the teacher only" in line)
        yield address, urlsplit(teacher.split()[-1]).path


@pytest.fixture
def opened(served):
    """A teacher's browser, the path of the teacher's page, and a poll of three options that is open."""
    address, path = served
    teacher = Browser(address)
    status, state = teacher.post(f"{path}/state", {"act": "open", "question": 0})
    assert status == 200 and json.loads(state)["counts"] == [0, 0, 0, 0]
    yield teacher, path, json.loads(state)["poll"]
    teacher.post(f"{path}/state", {"act": "close"})


STATE = "/start/poll/state"


@pytest.mark.slow
def test_two_students_answer_and_the_teacher_sees_the_counts(served, opened):
    teacher, path, number = opened
    students = [Browser(served[0]) for _ in range(2)]
    for student, place in zip(students, (1, 2)):
        assert json.loads(student.get(STATE)[1])["mine"] is None
        status, state = student.post(STATE, {"poll": number, "option": place})
        assert status == 200 and json.loads(state)["mine"] == place and "counts" not in json.loads(state)
    assert json.loads(teacher.get(f"{path}/state")[1])["counts"] == [0, 1, 1, 0]
    assert teacher.post(f"{path}/state", {"act": "reveal"})[0] == 200
    seen = json.loads(students[0].get(STATE)[1])
    assert seen["counts"] == [0, 1, 1, 0] and seen["right"] == 2
    assert teacher.post(f"{path}/state", {"act": "close"})[0] == 200
    assert json.loads(students[0].get(STATE)[1]) == {"poll": None}


@pytest.mark.slow
def test_a_student_who_plays_the_teacher_is_refused(served, opened):
    address, path = served
    student = Browser(address)
    key = path.rsplit("/", 1)[1]
    pages = [student.get(place)[1] for place in ("/start", "/start/poll", STATE)]
    assert all(key not in page for page in pages)  # nor is the right option
    assert '"right"' not in pages[2]
    assert len(key) > 20
    token = dict([address.split("?")[1].split("=")])["token"]
    for guess in ("x", token, key[:-1], key + "a", key.swapcase(), "%00", "%C3%A9", "..%2f" + key):
        for place in (f"/start/teacher/{guess}", f"/start/teacher/{guess}/state"):
            assert student.get(place)[0] == 404, place
        for act in ({"act": "reveal"}, {"act": "close"}, {"act": "open", "question": 1}):
            assert student.post(f"/start/teacher/{guess}/state", act)[0] == 404
    assert student.get("/start/teacher/")[0] == student.get("/start/teacher")[0] == 404
    assert student.post(STATE, {"act": "reveal"})[0] in (400, 409)
    state = json.loads(opened[0].get(f"{path}/state")[1])
    assert state["poll"] == opened[2] and not state["revealed"] and state["counts"] == [0, 0, 0, 0]


@pytest.mark.slow
def test_only_the_teacher_asks_a_question_of_their_own(served, opened):
    teacher, path, number = opened
    student = Browser(served[0])
    own = {"act": "ask", "text": "<script>alert(1)</script>", "options": ["<b>a</b>", "b"], "right": 0}
    assert student.post(STATE, own)[0] in (400, 409)
    assert student.post("/start/teacher/guessed/state", own)[0] == 404
    assert teacher.post(f"{path}/state", own, **{"X-XSRFToken": "guessed"})[0] == 403
    assert json.loads(student.get(STATE)[1])["poll"] == number
    assert teacher.post(f"{path}/state", own | {"options": ["a"]})[0] == 400
    assert teacher.post(f"{path}/state", own)[0] == 200
    shown = json.loads(student.get(STATE)[1])
    assert (shown["text"], shown["options"]) == (own["text"], own["options"]) and "right" not in shown
    assert all(own["text"] not in student.get(page)[1] for page in ("/start", "/start/poll"))
    longest = {
        "text": "\N{GRINNING FACE}" * LONG[0],
        "options": [f"{k}" + "\N{GRINNING FACE}" * 99 for k in range(6)],
    }
    body = json.dumps(own | longest, ensure_ascii=False).encode()
    assert teacher.post(f"{path}/state", body)[0] == 200


@pytest.mark.slow
def test_nobody_without_the_token_takes_part(served, opened):
    address, path = served
    stranger = Browser(address)
    stranger.cookies.clear()
    for place in ("/start/poll", STATE, path, f"{path}/state"):
        status, page = stranger.get(place)
        assert status in (302, 403) or ("token" in page.lower() and "Poll" not in page)
    assert stranger.post(STATE, {"poll": opened[2], "option": 0})[0] == 403
    assert stranger.post(f"{path}/state", {"act": "close"})[0] == 403
    assert json.loads(opened[0].get(f"{path}/state")[1])["poll"] == opened[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"\xff", b"[" * 900, b'{"poll": 1', b'"option"', b"{}", b" " * 10_000]
)
def test_bodies_that_are_no_answer_are_refused(served, opened, body):
    student = Browser(served[0])
    student.get(STATE)
    assert student.post(STATE, body)[0] in (400, 409)
    assert opened[0].post(f"{opened[1]}/state", body)[0] == 400
    assert json.loads(opened[0].get(f"{opened[1]}/state")[1])["counts"] == [0, 0, 0, 0]


@pytest.mark.slow
def test_a_foreign_page_cannot_answer_for_a_student(served, opened):
    student = Browser(served[0])
    student.get(STATE)
    values = {"poll": opened[2], "option": 0}
    assert student.post(STATE, values, **{"X-XSRFToken": "guessed"})[0] == 403
    [cookie] = [one for one in student.cookies if one.name == "credalbench-poll"]
    assert cookie.has_nonstandard_attr("HttpOnly") and cookie.get_nonstandard_attr("SameSite") == "Strict"
    assert cookie.path == "/start/poll" and cookie.discard  # it goes with the window
    assert student.post(STATE, values)[0] == 200


@pytest.mark.slow
def test_many_requests_of_one_browser_at_a_time_are_one_answer(served, opened):
    student = Browser(served[0])
    student.get(STATE)
    posts = [
        threading.Thread(target=student.post, args=(STATE, {"poll": opened[2], "option": k % 4}))
        for k in range(20)
    ]
    for post in posts:
        post.start()
    for post in posts:
        post.join()
    assert sum(json.loads(opened[0].get(f"{opened[1]}/state")[1])["counts"]) == 1


@pytest.mark.slow
@pytest.mark.long
def test_without_a_class_there_are_no_polls(tmp_path):
    pytest.importorskip("voila", reason="Voila is not installed")
    with explore(tmp_path) as (_, address):
        parts = urlsplit(address)
        for path in ("/start/poll", "/start/poll/state", "/start/teacher/x"):
            url = f"{parts.scheme}://{parts.netloc}{path}?{parts.query}"
            with pytest.raises(urllib.error.HTTPError) as error:
                urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url)
            assert error.value.code == 404
