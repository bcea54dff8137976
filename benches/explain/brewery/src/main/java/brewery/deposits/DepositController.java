package brewery.deposits;

import java.math.BigDecimal;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class DepositController {
    private static final Logger LOG = LoggerFactory.getLogger(DepositController.class);
    private static final BigDecimal KEG = new BigDecimal("30.00");
    private static final BigDecimal CRATE = new BigDecimal("3.10");

    @GetMapping("/customers/{customer}/deposits")
    List<Deposit> deposits(@PathVariable int customer) {
        var deposits = List.of(
                new Deposit("keg", customer % 9 + 1, KEG.multiply(BigDecimal.valueOf(customer % 9 + 1))),
                new Deposit("crate", customer % 40, CRATE.multiply(BigDecimal.valueOf(customer % 40))));
        deposits.forEach(deposit -> LOG.debug("customer {} has {}", customer, deposit));
        return deposits;
    }

    record Deposit(String what, int pieces, BigDecimal euros) {}
}
