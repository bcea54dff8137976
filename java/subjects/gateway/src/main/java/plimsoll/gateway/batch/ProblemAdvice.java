package plimsoll.gateway.batch;

import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.Problem;

/** Controllers refuse as {@code /call} does. */
@RestControllerAdvice
class ProblemAdvice {

    @ExceptionHandler
    ResponseEntity<byte[]> refuse(CallFailure failure) {
        return ResponseEntity.status(failure.reason().status())
                .header(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .body(Problem.of(failure).json());
    }
}
