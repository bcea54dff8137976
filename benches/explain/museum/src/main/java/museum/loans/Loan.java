package museum.loans;

/** A work on loan, and the sum for which it is insured. */
record Loan(String number, long insured) {}
