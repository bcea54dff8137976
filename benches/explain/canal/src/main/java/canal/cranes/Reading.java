package canal.cranes;

import java.time.Instant;

record Reading(String crane, Instant at, Integer kilograms) {}
