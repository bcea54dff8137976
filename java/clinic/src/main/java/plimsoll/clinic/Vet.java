package plimsoll.clinic;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.Table;
import java.util.Set;

@Entity
@Table(name = "vets")
class Vet {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Integer id;

    private String firstName;
    private String lastName;

    @ElementCollection(fetch = FetchType.EAGER)
    @CollectionTable(name = "specialties", joinColumns = @JoinColumn(name = "vet_id"))
    @Column(name = "name")
    private Set<String> specialties;

    public Integer getId() {
        return id;
    }

    public String getName() {
        return firstName + " " + lastName;
    }

    public Set<String> getSpecialties() {
        return specialties;
    }
}
