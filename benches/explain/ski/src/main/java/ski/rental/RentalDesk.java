package ski.rental;

import org.springframework.web.client.RestClient;

/** Hands skis out, one pair after the other, so that nobody gets the pair of somebody else. */
class RentalDesk {
    private final RestClient workshop;

    RentalDesk(RestClient workshop) {
        this.workshop = workshop;
    }

    synchronized String handOut(Ski ski) {
        var bindings =
                workshop.get().uri("/bindings/{ski}", ski.id()).retrieve().body(String.class);
        return "ride " + ski.ride() + ", bindings " + bindings.length();
    }
}
