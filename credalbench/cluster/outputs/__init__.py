"""What the clusterers give back beside masses: labels, by the numbers of the clusters in the partition."""
