"""What several explorers need: how a model refits, how a view follows it, kinds of data, widgets."""
