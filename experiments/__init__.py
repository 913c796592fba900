"""The reproduced papers: a folder for each, and in it the studies (see `credalbench.papers.studies`)."""
