"""Views of the explorers: core widgets linked to a model, and the panels that they are made of."""
