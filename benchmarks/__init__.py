"""What the project measures about itself: each module is one command, see README.md there."""
