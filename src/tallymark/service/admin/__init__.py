"""What those who run a site do on pages: signed in with a key, and with no more than the key may do."""
