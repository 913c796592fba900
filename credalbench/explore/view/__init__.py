"""Views of the explorers: widgets linked to a model, and their panels."""
