package vets.surgery;

import com.google.common.util.concurrent.Striped;
import java.util.concurrent.locks.Lock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Books a slot in the calendar, which does not notice if two do so at once. */
@Service
class Bookings {
    private final Striped<Lock> locks = Striped.lock(256);
    private final RestClient calendar;
    private final boolean bySlot;

    Bookings(
            RestClient.Builder clients,
            @Value("${upstream}") String calendar,
            @Value("${surgery.lock:practice}") String lockedBy) {
        this.calendar = clients.baseUrl(calendar).build();
        bySlot = lockedBy.equals("slot");
    }

    String book(int practice, int slot) {
        var lock = locks.get(bySlot ? practice * 10_000 + slot : practice);
        lock.lock();
        try {
            var confirmed = calendar.put()
                    .uri("/practices/{practice}/slots/{slot}", practice, slot)
                    .retrieve()
                    .body(String.class);
            return "booked with number " + (confirmed.length() * 1_000 + slot);
        } finally {
            lock.unlock();
        }
    }
}
