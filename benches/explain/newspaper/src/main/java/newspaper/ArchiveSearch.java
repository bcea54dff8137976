package newspaper;

import com.alibaba.druid.pool.DruidDataSource;

/** Searches of old issues in a database, by Druid with the eight connections that it has unless it is told. */
public final class ArchiveSearch {
    public static void main(String[] arguments) {
        var issues = new DruidDataSource();
        issues.setDriverClassName("org.ledgerdb.jdbc.LedgerDriver");
        issues.setUrl("jdbc:ledger:" + Newspaper.AGENCY);
        issues.setTestWhileIdle(false);
        issues.setMaxActive(Integer.getInteger("issues.max-active", 8));
        Newspaper.open(() -> {
            try (var connection = issues.getConnection();
                    var query = connection.prepareStatement("SELECT page FROM issues WHERE word = ?")) {
                query.setInt(1, 7);
                var rows = query.executeQuery();
                return "page " + (rows.next() ? rows.getInt(1) : 0);
            }
        });
    }
}
