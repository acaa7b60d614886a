"""Who is who: names that look alike, ids that have several names, and old names that stand for new ones."""
