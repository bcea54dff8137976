package clinic;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.ledgerdb.jdbc.LedgerDriver;

/** Records of patients from a database, by Agroal with few connections. */
public final class PatientRecords {
    public static void main(String[] arguments) throws IOException, SQLException {
        var records = records(Integer.getInteger("records.max-size", 4));
        Clinic.open(200, () -> {
            try (var connection = records.getConnection();
                    var query = connection.prepareStatement("SELECT note FROM record WHERE patient = ?")) {
                query.setInt(1, 4_711);
                var rows = query.executeQuery();
                return "record of " + (rows.next() ? rows.getInt(1) : 0);
            }
        });
    }

    private static AgroalDataSource records(int connections) throws SQLException {
        return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(connections)
                        .acquisitionTimeout(Duration.ofSeconds(20))
                        .connectionFactoryConfiguration(factory -> factory.connectionProviderClass(LedgerDriver.class)
                                .jdbcUrl("jdbc:ledger:" + Clinic.HOSPITAL))));
    }
}
