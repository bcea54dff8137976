package foundry.ingots;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Ingot {
    @Id
    private long number;

    private int stack;
    private int kilograms;
    private String alloy;

    protected Ingot() {}

    Ingot(long number, int stack, int kilograms, String alloy) {
        this.number = number;
        this.stack = stack;
        this.kilograms = kilograms;
        this.alloy = alloy;
    }

    long number() {
        return number;
    }

    int stack() {
        return stack;
    }

    int kilograms() {
        return kilograms;
    }

    String alloy() {
        return alloy;
    }
}
