package library.loans;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Writes each call of the service to a trail: one of all, or one of many branches. */
@Aspect
@Component
class Audited {
    private final List<AuditTrail> trails;

    Audited(@Value("${audit.trails:1}") int trails) {
        this.trails = Stream.generate(AuditTrail::new).limit(trails).toList();
    }

    @Around("execution(* library.loans.LoanService.*(..))")
    Object audit(ProceedingJoinPoint call) throws Throwable {
        var result = call.proceed();
        trails.get(ThreadLocalRandom.current().nextInt(trails.size()))
                .append(call.getSignature().getName());
        return result;
    }
}
