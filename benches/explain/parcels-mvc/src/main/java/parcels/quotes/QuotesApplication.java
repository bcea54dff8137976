package parcels.quotes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The prices of three carriers for a parcel, who are asked at the same time. */
@SpringBootApplication
public class QuotesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(QuotesApplication.class, arguments);
    }
}
