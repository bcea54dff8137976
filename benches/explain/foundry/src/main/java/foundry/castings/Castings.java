package foundry.castings;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Castings {
    private final JdbcClient castings;
    private final ApplicationEventPublisher events;

    Castings(JdbcClient castings, ApplicationEventPublisher events) {
        this.castings = castings;
        this.events = events;
    }

    @Transactional
    public Released release(String casting) {
        castings.sql("update castings set state = 'released' where number = ?")
                .param(casting)
                .update();
        var released = new Released(casting, casting.hashCode() % 12);
        events.publishEvent(released);
        return released;
    }
}
