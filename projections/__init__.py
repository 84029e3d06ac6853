"""What we see: read models rebuilt from events."""
