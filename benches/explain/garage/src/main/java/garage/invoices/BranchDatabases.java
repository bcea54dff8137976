package garage.invoices;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A pool for each branch; small ones, as there are many branches and one server of databases. */
@Configuration(proxyBeanMethods = false)
class BranchDatabases {
    private static final List<String> BRANCHES = List.of("north", "south", "harbour", "airport", "old-town");

    @Bean
    DataSource branches(@Value("${stub}") String server, @Value("${branches.connections:4}") int connections) {
        var branches = new Branch();
        branches.setTargetDataSources(BRANCHES.stream()
                .collect(Collectors.toMap(Function.identity(), branch -> pool(server, branch, connections))));
        return branches;
    }

    private static HikariDataSource pool(String server, String branch, int connections) {
        var pool = new HikariDataSource();
        pool.setPoolName(branch);
        pool.setJdbcUrl("jdbc:postgresql://" + server + "/" + branch
                + "?sslmode=disable&gssEncMode=disable&preferQueryMode=simple");
        pool.setMaximumPoolSize(connections);
        return pool;
    }
}
