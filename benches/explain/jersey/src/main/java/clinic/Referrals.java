package clinic;

import jakarta.ws.rs.client.ClientBuilder;
import java.io.IOException;

/** Refers patients to the hospital by Jersey's client, whose connections are those of the JDK. */
public final class Referrals {
    public static void main(String[] arguments) throws IOException {
        var hospital = ClientBuilder.newClient().target(Clinic.HOSPITAL);
        Clinic.open(
                200, () -> "referred " + hospital.request().get(String.class).length());
    }
}
