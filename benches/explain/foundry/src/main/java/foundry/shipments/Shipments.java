package foundry.shipments;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class Shipments {
    private static final int LINES = 14;

    private final JdbcClient database;
    private final Alloys alloys;
    private final boolean eager;

    Shipments(JdbcClient database, Alloys alloys, @Value("${shipments.eager:false}") boolean eager) {
        this.database = database;
        this.alloys = alloys;
        this.eager = eager;
    }

    List<Line> lines(String shipment) {
        var codes = codes(shipment);
        if (!eager) {
            return codes.stream().map(code -> new Line(code, alloys)).toList();
        }
        var names = alloys.names(codes);
        return codes.stream().map(code -> new Line(code, names)).toList();
    }

    /** The codes of all lines are in one column, as the scanner has written them. */
    private List<Integer> codes(String shipment) {
        var scanned = database.sql("select scanned from shipments where number = ?")
                .param(shipment)
                .query((row, number) -> row.getString(1))
                .single();
        return IntStream.range(0, LINES)
                .map(i -> scanned.length() + i * 7)
                .boxed()
                .toList();
    }
}
