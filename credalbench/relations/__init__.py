"""Relations between objects: what partitions say of pairs, combined and made transitive."""
