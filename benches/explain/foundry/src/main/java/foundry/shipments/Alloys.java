package foundry.shipments;

import java.util.List;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Alloys by the code that is stamped into them. */
@Repository
class Alloys implements Names {
    private final JdbcClient database;

    Alloys(JdbcClient database) {
        this.database = database;
    }

    @Override
    public String name(int code) {
        return database.sql("select name from alloys where code = ?")
                .param(code)
                .query((row, number) -> row.getString(1))
                .single()
                .substring(0, 8)
                .toUpperCase(Locale.ROOT);
    }

    Names names(List<Integer> codes) {
        var found = database.sql("select string_agg(name, ',' order by code) from alloys where code in (:codes)")
                .param("codes", codes)
                .query((row, number) -> row.getString(1))
                .single();
        return code -> found.substring(0, 8).toUpperCase(Locale.ROOT);
    }
}
