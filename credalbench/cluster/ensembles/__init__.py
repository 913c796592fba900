"""From many credal partitions to one: the consensus of an ensemble."""
