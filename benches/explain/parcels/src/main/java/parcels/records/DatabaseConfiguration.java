package parcels.records;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.net.URI;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.annotation.EnableTransactionManagement;

@Configuration
@EnableTransactionManagement
class DatabaseConfiguration {
    @Bean
    ConnectionPool connections(@Value("${stub}") String address, @Value("${records.connections:5}") int most) {
        var server = URI.create("postgresql://" + address);
        var postgres = new PostgresqlConnectionFactory(PostgresqlConnectionConfiguration.builder()
                .host(server.getHost())
                .port(server.getPort())
                .username("parcels")
                .database("parcels")
                .autodetectExtensions(false)
                .build());
        return new ConnectionPool(ConnectionPoolConfiguration.builder(postgres)
                .name("records")
                .initialSize(2)
                .maxSize(most)
                .maxIdleTime(Duration.ofMinutes(10))
                .build());
    }

    @Bean
    R2dbcTransactionManager transactions(ConnectionFactory connections) {
        return new R2dbcTransactionManager(connections);
    }

    @Bean
    DatabaseClient database(ConnectionFactory connections) {
        return DatabaseClient.create(connections);
    }
}
