"""Which files are the data sets of Tables 5 to 11."""

#: Name in the studies -> name of the file. The files are those of ``credalbench data``.
FILES = {
    "iris": "iris_uci",
    "knowledge": "user_knowledge",
    "seeds": "seeds",
    "vehicle": "vehicle",
    "wine": "wine_uci",
}
