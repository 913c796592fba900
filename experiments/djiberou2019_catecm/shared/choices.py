"""What these studies chose because of what [djiberou2019_catecm] prints."""

from credalbench.papers import Choice

#: Way -> what is chosen in it.
OF_WAY = {
    "printed": (),
    "without 1/p": Choice(
        "the factor 1/p is left out, since with it no object can be on the empty set",
        among="equation (10) as printed; without its factor 1/p; a smaller delta",
        evidence="Figure 2 and Section IV-B: objects 12 and 13 are on the empty set",
    ),
    "smaller delta": Choice(
        "delta is below the printed one, since with that no object can be on the empty set",
        among="equation (10) as printed; without its factor 1/p; a smaller delta",
        evidence="Figure 2 and Section IV-B: objects 12 and 13 are on the empty set",
    ),
}
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
