package org.ledgerdb.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** JDBC's interfaces over a {@link Wire}: what pools and Spring's JdbcTemplate ask of them. */
final class LedgerSession implements InvocationHandler {
    private final Wire wire;
    private boolean commits = true;
    private boolean closed;

    private LedgerSession(Wire wire) {
        this.wire = wire;
    }

    static Connection connection(Wire wire) {
        return of(Connection.class, new LedgerSession(wire));
    }

    static <T> T of(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(LedgerSession.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public Object invoke(Object self, Method method, Object[] given) throws SQLException {
        switch (method.getName()) {
            case "createStatement":
                return of(PreparedStatement.class, new LedgerStatement(wire, null, (Connection) self));
            case "prepareStatement":
                return of(PreparedStatement.class, new LedgerStatement(wire, (String) given[0], (Connection) self));
            case "setAutoCommit":
                commits = (boolean) given[0];
                return null;
            case "getAutoCommit":
                return commits;
            case "isValid":
                return !closed;
            case "isClosed":
                return closed;
            case "close":
                closed = true;
                wire.close();
                return null;
            case "getTransactionIsolation":
                return Connection.TRANSACTION_READ_COMMITTED;
            default:
                return otherwise(self, method, given);
        }
    }

    /** Identity for collections, and a harmless value for all that has no meaning here. */
    static Object otherwise(Object self, Method method, Object[] given) {
        return switch (method.getName()) {
            case "equals" -> self == given[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "ledger" + System.identityHashCode(self);
            default -> {
                var type = method.getReturnType();
                if (type == boolean.class) {
                    yield false;
                }
                if (type == long.class) {
                    yield 0L;
                }
                yield type == int.class ? 0 : null;
            }
        };
    }

    private record LedgerStatement(Wire wire, String prepared, Connection connection) implements InvocationHandler {
        @Override
        public Object invoke(Object self, Method method, Object[] given) throws SQLException {
            switch (method.getName()) {
                case "executeQuery":
                    return rows(ask(given));
                case "execute":
                    ask(given);
                    return false;
                case "executeUpdate":
                    ask(given);
                    return 1;
                case "getConnection":
                    return connection;
                default:
                    return otherwise(self, method, given);
            }
        }

        private String ask(Object[] given) throws SQLException {
            return wire.ask(given == null ? prepared : (String) given[0]);
        }

        private static ResultSet rows(String answer) {
            var left = new int[] {1};
            return of(ResultSet.class, (self, method, given) -> switch (method.getName()) {
                case "next" -> left[0]-- > 0;
                case "getString", "getObject" -> answer;
                case "getInt" -> answer.length();
                default -> otherwise(self, method, given);
            });
        }
    }
}
