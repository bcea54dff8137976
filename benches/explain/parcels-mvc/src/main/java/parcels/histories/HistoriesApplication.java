package parcels.histories;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Where a parcel has been, which the stations know. */
@SpringBootApplication
public class HistoriesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(HistoriesApplication.class, arguments);
    }
}
