package vets.vaccinations;

import java.time.LocalDate;

/** One animal's card. */
record VaccinationCard(long animal, String vaccine, LocalDate due) {}
