package clinic.vaccines;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Patients, and those of them who have their vaccination, as both registers list them. */
@Service
class Campaign {
    private static final int PATIENTS = 4_000;

    private final List<Patient> patients = registered(1);
    private final List<Patient> vaccinated = registered(2);
    private final boolean indexed;

    Campaign(@Value("${campaign.indexed:false}") boolean indexed) {
        this.indexed = indexed;
    }

    List<Patient> toInvite(int page, int size) {
        Collection<Patient> done = indexed ? new HashSet<>(vaccinated) : vaccinated;
        return patients.stream()
                .filter(patient -> !done.contains(patient))
                .sorted()
                .skip((long) page * size)
                .limit(size)
                .toList();
    }

    private static List<Patient> registered(int each) {
        return IntStream.range(0, PATIENTS / each)
                .mapToObj(number -> new Patient("AT-%06d".formatted(number * each * 7919 % 1_000_003)))
                .toList();
    }

    record Patient(String number) implements Comparable<Patient> {
        @Override
        public int compareTo(Patient other) {
            return number.compareTo(other.number);
        }
    }
}
