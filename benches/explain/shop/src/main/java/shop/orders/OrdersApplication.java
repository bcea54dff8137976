package shop.orders;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import shop.Supplier;

/** An order from the database, by Spring Data JPA, and where its parcel is, by the carrier. */
@SpringBootApplication
public class OrdersApplication {
    @RestController
    static class Page {
        private final PurchaseOrders orders;

        Page(PurchaseOrders orders) {
            this.orders = orders;
        }

        @GetMapping("/")
        String order() {
            var order = orders.findById(1L).orElseThrow();
            return order.customer() + " " + Supplier.ask("/parcel").length();
        }
    }

    @Bean
    ApplicationRunner first(PurchaseOrders orders) {
        return arguments -> orders.save(new PurchaseOrder(1, "Ada"));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(OrdersApplication.class, arguments);
    }
}
