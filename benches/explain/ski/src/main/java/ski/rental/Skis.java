package ski.rental;

import org.springframework.data.jpa.repository.JpaRepository;

/** All pairs of skis. */
interface Skis extends JpaRepository<Ski, Long> {}
