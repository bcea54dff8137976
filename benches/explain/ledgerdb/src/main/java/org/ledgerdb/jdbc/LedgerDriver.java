package org.ledgerdb.jdbc;

import java.net.URI;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/** Speaks to a database at {@code jdbc:ledger:http://host:port/}: one question at a time on a connection, as databases do. */
public final class LedgerDriver implements Driver {
    private static final String PREFIX = "jdbc:ledger:";

    static {
        try {
            DriverManager.registerDriver(new LedgerDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public Connection connect(String url, Properties settings) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        return LedgerSession.connection(new Wire(URI.create(url.substring(PREFIX.length()))));
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties settings) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("org.ledgerdb");
    }
}
