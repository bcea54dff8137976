package foundry.ingots;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface Ingots extends JpaRepository<Ingot, Long> {
    List<Ingot> findByStackOrderByNumber(int stack);

    @Query("select count(i) from Ingot i where i.alloy = ?1")
    long ofAlloy(String alloy);
}
