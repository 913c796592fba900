"""Processes in place of `serve` of `tools/fuzz.py`: they get one call and do not answer."""

import os
import time


def dying(pipe, names):
    pipe.send("ready")
    pipe.recv()
    os._exit(1)


def hanging(pipe, names):
    pipe.send("ready")
    time.sleep(600)
