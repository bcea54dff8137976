package clinic;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.StampedLock;

/** Appointments in one calendar, behind a stamped lock that is held while the hospital is asked. */
public final class Appointments {
    public static void main(String[] arguments) throws IOException {
        var calendars = new StampedLock[Integer.getInteger("appointments.calendars", 1)];
        for (int doctor = 0; doctor < calendars.length; doctor++) {
            calendars[doctor] = new StampedLock();
        }
        Clinic.open(200, () -> book(calendars[ThreadLocalRandom.current().nextInt(calendars.length)]));
    }

    private static String book(StampedLock calendar) throws IOException {
        long stamp = calendar.writeLock();
        try {
            return "booked " + Clinic.askHospital().length();
        } finally {
            calendar.unlockWrite(stamp);
        }
    }
}
