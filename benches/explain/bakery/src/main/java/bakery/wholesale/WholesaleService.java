package bakery.wholesale;

import java.util.stream.LongStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.client.RestClient;

/** Takes an order if the customer is good for it. */
@Service
class WholesaleService {
    static final int CUSTOMERS = 2_000;

    private final Customers customers;
    private final RestClient bureau;

    WholesaleService(Customers customers, RestClient.Builder clients, @Value("${upstream}") String address) {
        this.customers = customers;
        bureau = clients.baseUrl(address).build();
        customers.saveAll(LongStream.range(0, CUSTOMERS).mapToObj(Customer::new).toList());
    }

    @Transactional
    public String order(long number, int rolls) {
        var customer = customers.findById(number).orElseThrow();
        var rating = bureau.get().uri("/ratings/{number}", number).retrieve().body(String.class);
        if (rating.isEmpty()) {
            return "cash only";
        }
        customer.order(rolls);
        return "customer " + number + " has ordered " + customer.rolls() + " rolls this year";
    }
}
