package garage.estimates;

import java.io.IOException;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.Yaml;

/** Hours by job, in a file that comes with each release. */
@Component
class LabourTimes {
    private final Resource file = new ClassPathResource("labour.yml");
    private final Map<String, Map<String, Object>> kept;

    LabourTimes(@Value("${labour-times.keep:false}") boolean keep) throws IOException {
        kept = keep ? read() : null;
    }

    int minutes(String job) throws IOException {
        var times = kept != null ? kept : read();
        var time = times.get(job);
        return time == null ? 60 : (int) time.get("minutes") * (int) time.get("mechanics");
    }

    private Map<String, Map<String, Object>> read() throws IOException {
        try (var in = file.getInputStream()) {
            Map<String, Map<String, Map<String, Object>>> all = new Yaml().load(in);
            return all.get("jobs");
        }
    }
}
