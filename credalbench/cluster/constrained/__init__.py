"""Mathematics of pairwise constraints: masses that suit them, and which pairs of objects to ask about."""
