"""Bots from outside: programs and services that play a seat, told what that seat may know and nothing else."""
