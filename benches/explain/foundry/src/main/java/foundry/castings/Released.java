package foundry.castings;

/** A casting that may leave, and the gate at which it does. */
record Released(String casting, int gate) {}
