package bakery.baskets;

import bakery.baskets.BasketsApplication.Line;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Saves baskets with their lines, whose numbers are of a sequence. */
@Repository
class BasketRepository {
    private final JdbcTemplate jdbc;
    private final boolean together;

    BasketRepository(JdbcTemplate jdbc, @Value("${baskets.together:false}") boolean together) {
        this.jdbc = jdbc;
        this.together = together;
    }

    @Transactional
    public long save(int customer, List<Line> lines) {
        long basket = next("basket_number", 1);
        jdbc.update("INSERT INTO basket (number, customer) VALUES (?, ?)", basket, customer);
        if (together) {
            saveTogether(basket, lines);
        } else {
            lines.forEach(line -> save(basket, line));
        }
        return basket;
    }

    private void save(long basket, Line line) {
        long number = next("line_number", 1);
        jdbc.update(
                "INSERT INTO line (number, basket, goods, pieces) VALUES (?, ?, ?, ?)",
                number,
                basket,
                line.goods(),
                line.pieces());
    }

    private void saveTogether(long basket, List<Line> lines) {
        long number = next("line_number", lines.size());
        var rows = String.join(", ", Collections.nCopies(lines.size(), "(?, ?, ?, ?)"));
        var values = new ArrayList<Object>();
        for (var line : lines) {
            values.addAll(List.of(number++, basket, line.goods(), line.pieces()));
        }
        jdbc.update("INSERT INTO line (number, basket, goods, pieces) VALUES " + rows, values.toArray());
    }

    private long next(String sequence, int numbers) {
        return jdbc.query(
                        "SELECT MIN(nextval(?)) FROM generate_series(1, ?)",
                        (row, index) -> (long) row.getInt(1),
                        sequence,
                        numbers)
                .get(0);
    }
}
