package vets.doses;

import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Says in sentences where a form is wrong. */
@Component
class Forms {
    private final ValidatorFactory shared;

    Forms(@Value("${doses.shared-factory:false}") boolean shares) {
        shared = shares ? Validation.buildDefaultValidatorFactory() : null;
    }

    List<String> complaints(DoseForm form) {
        if (shared != null) {
            return complaints(form, shared);
        }
        try (var factory = Validation.buildDefaultValidatorFactory()) {
            return complaints(form, factory);
        }
    }

    private static List<String> complaints(DoseForm form, ValidatorFactory factory) {
        return factory.getValidator().validate(form).stream()
                .map(violation -> violation.getPropertyPath() + " " + violation.getMessage())
                .sorted()
                .toList();
    }
}
