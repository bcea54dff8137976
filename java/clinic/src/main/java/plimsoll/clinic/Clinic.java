package plimsoll.clinic;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A clinic of owners, pets and vets, in the shape of spring-petclinic: pages and JSON, from a database by JPA. */
@SpringBootApplication
class Clinic {

    public static void main(String[] arguments) {
        SpringApplication.run(Clinic.class, arguments);
    }
}
