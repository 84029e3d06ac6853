"""The game service: recorded games over HTTP, where each token opens what its holder may know."""
