package shop.basket;

import graphql.GraphQL;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import shop.Supplier;

/** A basket by GraphQL: its items, and what each of them costs today. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class BasketApplication {
    private static final boolean TOGETHER = Boolean.getBoolean("basket.together");
    private static final String SCHEMA = """
            type Query { basket: [Item] }
            type Item { number: Int, price: Int }
            """;

    private final GraphQL basket = GraphQL.newGraphQL(new SchemaGenerator()
                    .makeExecutableSchema(
                            new SchemaParser().parse(SCHEMA),
                            RuntimeWiring.newRuntimeWiring()
                                    .type("Query", type -> type.dataFetcher("basket", BasketApplication::items))
                                    .type("Item", type -> type.dataFetcher("price", BasketApplication::price))
                                    .build()))
            .build();

    private static List<Map<String, Integer>> items(DataFetchingEnvironment asked) {
        int price = TOGETHER ? Supplier.ask("/prices").length() : 0;
        return IntStream.range(0, 12)
                .mapToObj(number -> Map.of("number", number, "price", price))
                .toList();
    }

    private static int price(DataFetchingEnvironment asked) {
        Map<String, Integer> item = asked.getSource();
        return TOGETHER
                ? item.get("price")
                : Supplier.ask("/prices/" + item.get("number")).length();
    }

    @GetMapping("/")
    Map<String, Object> basket() {
        return basket.execute("{ basket { number price } }").toSpecification();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(BasketApplication.class, arguments);
    }
}
