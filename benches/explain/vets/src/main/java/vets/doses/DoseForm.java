package vets.doses;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/** The fields that have been filled in. */
record DoseForm(
        @NotBlank @Size(max = 40) String drug,
        @Pattern(regexp = "dog|cat|horse|rabbit") String species,
        @Positive @DecimalMax("900") double kilograms) {}
