package hotel;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** Guests who check in, written down by MyBatis with the data source that it brings. */
@Path("/")
public final class GuestBook {
    interface Guests {
        @Update("UPDATE guest SET here = TRUE WHERE room = 12")
        int checkIn();
    }

    private final SqlSessionFactory book;

    private GuestBook(SqlSessionFactory book) {
        this.book = book;
    }

    @GET
    public String checkIn() {
        try (var session = book.openSession(true)) {
            return "welcome " + session.getMapper(Guests.class).checkIn();
        }
    }

    public static void main(String[] arguments) {
        var rooms = new PooledDataSource("org.ledgerdb.jdbc.LedgerDriver", "jdbc:ledger:" + Hotel.AGENCY, null, null);
        rooms.setPoolMaximumActiveConnections(Integer.getInteger("book.active", 10));
        rooms.setPoolMaximumIdleConnections(Integer.getInteger("book.active", 10));
        var configuration = new Configuration(new Environment("hotel", new JdbcTransactionFactory(), rooms));
        configuration.addMapper(Guests.class);
        Hotel.open(new GuestBook(new SqlSessionFactoryBuilder().build(configuration)));
    }
}
