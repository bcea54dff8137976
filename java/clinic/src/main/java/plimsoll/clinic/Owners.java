package plimsoll.clinic;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface Owners extends JpaRepository<Owner, Integer> {

    List<Owner> findByLastNameStartingWith(String lastName);
}
