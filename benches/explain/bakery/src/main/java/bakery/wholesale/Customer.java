package bakery.wholesale;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A buyer of rolls by the hundred. */
@Entity
class Customer {
    @Id
    private long number;

    private long rolls;

    protected Customer() {}

    Customer(long number) {
        this.number = number;
    }

    void order(int more) {
        rolls += more;
    }

    long rolls() {
        return rolls;
    }
}
