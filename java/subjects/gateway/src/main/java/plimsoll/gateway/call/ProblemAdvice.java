package plimsoll.gateway.call;

import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** The answer about a failed call: a problem of RFC 9457 with the reason's word beside. */
@RestControllerAdvice
class ProblemAdvice {

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refuse(CallFailure failure) {
        var status = HttpStatusCode.valueOf(failure.reason().status());
        var problem = ProblemDetail.forStatusAndDetail(status, failure.getMessage());
        problem.setProperty("reason", failure.reason().word());
        return ResponseEntity.of(problem).build();
    }
}
