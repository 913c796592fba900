"""What several studies of this paper share."""
