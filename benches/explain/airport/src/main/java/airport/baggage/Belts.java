package airport.baggage;

import org.springframework.integration.annotation.MessagingGateway;

/** The way into the flow that sorts. */
@MessagingGateway(defaultRequestChannel = "bags")
interface Belts {
    String sort(String tag);
}
