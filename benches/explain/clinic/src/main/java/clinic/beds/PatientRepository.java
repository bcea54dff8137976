package clinic.beds;

import clinic.beds.WardController.Bed;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class PatientRepository {
    private final JdbcClient database;

    PatientRepository(JdbcClient database) {
        this.database = database;
    }

    Optional<String> findByBed(String bed) {
        return database.sql("select name from patients where bed = :bed and left_at is null")
                .param("bed", bed)
                .query(String.class)
                .optional();
    }

    List<Bed> inWard(String ward, int beds) {
        var names = database.sql("select string_agg(name, ',' order by bed) from patients where ward = :ward")
                .param("ward", ward)
                .query(String.class)
                .single()
                .split(",");
        return IntStream.range(0, beds)
                .mapToObj(bed -> new Bed(ward + "/" + bed, bed < names.length ? names[bed] : "free"))
                .toList();
    }
}
