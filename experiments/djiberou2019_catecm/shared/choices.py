"""What these studies chose because of what [djiberou2019_catecm] prints."""

from credalbench.papers import Choice

REBUILT = Choice(
    "the data are rebuilt from this sentence and the remains of the figure",
    among="values of two attributes for 13 objects",
    evidence="Figure 1, and what the text says of its objects",
)
FAR_OBJECTS = Choice(
    "the places of 12 and 13 are chosen so",
    among="places where at most one value is shared",
    evidence="Section IV-B: objects 12 and 13 are far from all others",
)
