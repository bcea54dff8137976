package brewery.recipes;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Recipes of the brewery's beers, with the pool that it has had since 2009. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class RecipesApplication {
    @Bean(destroyMethod = "close")
    ComboPooledDataSource recipeBook(
            @Value("${stub}") String database, @Value("${recipes.c3p0.max-pool-size:6}") int most) {
        var pool = new ComboPooledDataSource();
        pool.setJdbcUrl(
                "jdbc:postgresql://" + database + "/recipes?sslmode=disable&gssEncMode=disable&preferQueryMode=simple");
        pool.setUser("brewer");
        pool.setMaxPoolSize(most);
        return pool;
    }

    @Bean
    JdbcClient recipes(ComboPooledDataSource recipeBook) {
        return JdbcClient.create(recipeBook);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(RecipesApplication.class, arguments);
    }
}
