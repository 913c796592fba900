"""The lessons: for each, its text (Markdown with the cells of its notebook) and its exercises (a module)."""
