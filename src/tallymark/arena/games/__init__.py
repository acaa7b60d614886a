"""The games that agents play, behind one small face."""
