"""What the studies of this paper share."""
