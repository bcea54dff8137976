package vets.vaccinations;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration
class DataSourceConfiguration {
    @Bean
    @Primary
    @ConfigurationProperties("records.datasource")
    HikariDataSource records() {
        return new HikariDataSource();
    }

    @Bean
    @ConfigurationProperties("reporting.datasource")
    HikariDataSource reporting() {
        return new HikariDataSource();
    }

    @Bean
    @Primary
    JdbcClient recordsClient(HikariDataSource records) {
        return JdbcClient.create(records);
    }

    @Bean
    JdbcClient reportingClient(@Qualifier("reporting") HikariDataSource reporting) {
        return JdbcClient.create(reporting);
    }
}
