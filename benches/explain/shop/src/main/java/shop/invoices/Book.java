package shop.invoices;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The invoices of a branch, whose numbers leave none out. */
@Entity
public class Book {
    @Id
    private Integer branch;

    private long latest;

    protected Book() {}

    Book(int branch) {
        this.branch = branch;
    }

    long next() {
        return ++latest;
    }
}
