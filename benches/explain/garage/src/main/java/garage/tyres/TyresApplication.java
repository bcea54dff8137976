package garage.tyres;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Tyres in stock by their size, as the warehouse keeps them in Redis. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class TyresApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(TyresApplication.class, arguments);
    }
}
