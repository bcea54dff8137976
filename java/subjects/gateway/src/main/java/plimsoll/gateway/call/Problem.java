package plimsoll.gateway.call;

import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/** What the caller reads about a failed call: a problem of RFC 9457 with the reason's word beside. */
public record Problem(String type, String title, int status, String detail, String reason) {

    public static final String MEDIA_TYPE = "application/problem+json";

    private static final JsonMapper JSON = new JsonMapper();

    public static Problem of(CallFailure failure) {
        var status = HttpStatus.valueOf(failure.reason().status());
        return new Problem(
                "about:blank",
                status.getReasonPhrase(),
                status.value(),
                failure.getMessage(),
                failure.reason().word());
    }

    public byte[] json() {
        return JSON.writeValueAsBytes(this);
    }
}
