package garage.invoices;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** The branch that a request is for, by which the database is chosen. */
class Branch extends AbstractRoutingDataSource {
    private static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

    static void enter(String branch) {
        CURRENT.set(branch);
    }

    static void leave() {
        CURRENT.remove();
    }

    @Override
    protected Object determineCurrentLookupKey() {
        return CURRENT.get();
    }
}
