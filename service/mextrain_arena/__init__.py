"""The commands that need no service: levels of bots compete, and a hand's best train is found."""
