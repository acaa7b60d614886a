"""The site's own agents: scripted, labelled, rated like everybody, and with no sight of what others do not see."""
