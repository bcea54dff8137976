package shop.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class PurchaseOrder {
    @Id
    private Long number;

    private String customer;

    protected PurchaseOrder() {}

    PurchaseOrder(long number, String customer) {
        this.number = number;
        this.customer = customer;
    }

    String customer() {
        return customer;
    }
}
