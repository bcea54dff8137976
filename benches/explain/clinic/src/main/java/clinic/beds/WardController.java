package clinic.beds;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class WardController {
    private static final int ROOMS = 12;

    private final PatientRepository patients;
    private final boolean byWard;

    WardController(PatientRepository patients, @Value("${wards.read-whole:false}") boolean byWard) {
        this.patients = patients;
        this.byWard = byWard;
    }

    @GetMapping("/wards/{ward}")
    List<Bed> ward(@PathVariable String ward) {
        if (byWard) {
            return patients.inWard(ward, 2 * ROOMS);
        }
        return IntStream.rangeClosed(1, ROOMS)
                .boxed()
                .flatMap(room -> List.of("window", "door").stream().map(place -> ward + "/" + room + "/" + place))
                .map(bed -> new Bed(bed, patients.findByBed(bed).orElse("free")))
                .toList();
    }

    record Bed(String bed, String patient) {}
}
