package bakery.wholesale;

import org.springframework.data.jpa.repository.JpaRepository;

/** All customers. */
interface Customers extends JpaRepository<Customer, Long> {}
