"""The tests. This file imports nothing: worker processes of toy studies read it, too."""
