"""Labels of the objects, numbered as the clusters of the partition."""
