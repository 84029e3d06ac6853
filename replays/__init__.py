"""What happened: recorded games."""
