package library.orders;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** An order's lines: a query for the order, and one for each of its lines, or a join. */
@Repository
class OrderRepository {
    private static final int LINES = 14;

    private final JdbcTemplate database;
    private final boolean joins;

    OrderRepository(JdbcTemplate database, @Value("${orders.join-lines:false}") boolean joins) {
        this.database = database;
        this.joins = joins;
    }

    List<String> lines(int order) {
        if (joins) {
            return List.of(one("SELECT * FROM book_order o JOIN line l ON l.order_id = o.id WHERE o.id = " + order));
        }
        one("SELECT * FROM book_order WHERE id = " + order);
        return IntStream.range(0, LINES)
                .mapToObj(line -> one("SELECT * FROM line WHERE order_id = " + order + " AND number = " + line))
                .toList();
    }

    private String one(String query) {
        return database.query(query, rows -> rows.next() ? rows.getString(1) : "");
    }
}
