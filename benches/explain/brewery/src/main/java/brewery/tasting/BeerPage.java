package brewery.tasting;

record BeerPage(String beer, String notes, int cents, int crates) {}
