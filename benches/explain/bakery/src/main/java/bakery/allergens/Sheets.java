package bakery.allergens;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes sheets in the form that the authority asks for, which is not that of the rest of the API. */
@Component
class Sheets {
    private final JsonMapper kept;

    Sheets(@Value("${sheets.keep-mapper:false}") boolean keep) {
        kept = keep ? mapper() : null;
    }

    private static JsonMapper mapper() {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
    }

    String write(Object sheet) {
        var mapper = kept == null ? mapper() : kept;
        return mapper.writeValueAsString(sheet);
    }
}
