"""Keys of the API: who may do what. Only a hash of each is stored, and it is shown once, when it is made."""
