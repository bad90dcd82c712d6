"""What a request is about: the eight intents, and the classifier that ranks them for a sub-instruction."""
