"""The reproduced papers: a folder for each, in it a module or package for each study (`credalbench.studies`)."""
