package clinic;

import java.io.IOException;

/** Times of waiting from the hospital, by the few worker threads of Grizzly. */
public final class WaitingRoom {
    public static void main(String[] arguments) throws IOException {
        Clinic.open(
                Integer.getInteger("clinic.workers", 6),
                () -> "wait for " + Clinic.askHospital().length());
    }
}
