"""Scenarios of scripts/chaos: they kill, fill, damage and turn clocks, and look at what is left."""
