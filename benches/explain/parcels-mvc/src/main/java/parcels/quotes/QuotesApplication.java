package parcels.quotes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** What three carriers want for a parcel, who are asked at the same time. */
@SpringBootApplication
public class QuotesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(QuotesApplication.class, arguments);
    }
}
