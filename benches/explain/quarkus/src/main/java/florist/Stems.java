package florist;

import io.quarkus.arc.Lock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Stems in the cold store: the bean's lock is held while the growers are asked, as one that writes or that reads. */
@ApplicationScoped
@Lock
public class Stems {
    @Inject
    @RestClient
    Growers growers;

    public String count() {
        return "stems " + growers.stock().length();
    }

    @Lock(Lock.Type.READ)
    public String look() {
        return "stems " + growers.stock().length();
    }
}
