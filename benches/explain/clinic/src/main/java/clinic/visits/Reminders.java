package clinic.visits;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

/** Reminds the patients of all practices, each of which has its own hours. */
@Service
class Reminders implements DisposableBean {
    private static final int PRACTICES = 9;
    private static final String TOMORROW =
            "select phone from appointments where practice = ? and day = current_date + 1 and not reminded";

    private final JdbcTemplate appointments;
    private final TextMessages messages;
    private final ScheduledExecutorService practices = Executors.newScheduledThreadPool(PRACTICES);

    Reminders(JdbcTemplate appointments, TextMessages messages) {
        this.appointments = appointments;
        this.messages = messages;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int practice = 0; practice < PRACTICES; practice++) {
            int number = practice;
            practices.scheduleWithFixedDelay(() -> remind(number), 0, 20, TimeUnit.MILLISECONDS);
        }
    }

    private void remind(int practice) {
        appointments.query(
                TOMORROW,
                row -> {
                    messages.send(row.getString(1), "We expect you tomorrow.");
                },
                practice);
    }

    @Override
    public void destroy() {
        practices.shutdownNow();
    }
}
