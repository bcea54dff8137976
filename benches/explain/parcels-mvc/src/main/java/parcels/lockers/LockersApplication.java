package parcels.lockers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Codes of parcel lockers, for partners who have a key. */
@SpringBootApplication
public class LockersApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LockersApplication.class, arguments);
    }
}
