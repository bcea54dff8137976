package ski.rental;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A pair of skis, and how often it was out. */
@Entity
class Ski {
    @Id
    private long id;

    private int rides;

    protected Ski() {}

    Ski(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    int ride() {
        return ++rides;
    }
}
