package garage.appointments;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class AppointmentController {
    private final AtomicReference<String> lastAsked = new AtomicReference<>();

    @GetMapping("/days/{day}/appointments")
    Appointments free(@PathVariable String day, HttpServletRequest request) {
        lastAsked.set(request.getRemoteHost());
        return new Appointments(day, 8 + Math.floorMod(day.hashCode(), 9), 12);
    }

    record Appointments(String day, int first, int count) {}
}
