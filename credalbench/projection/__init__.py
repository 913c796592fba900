"""Projections of attributes that take what is known about objects into account."""

from .pcca import PCCA

__all__ = ["PCCA"]
