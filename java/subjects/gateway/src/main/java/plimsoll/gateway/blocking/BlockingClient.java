package plimsoll.gateway.blocking;

import java.io.IOException;
import java.io.InputStream;
import org.springframework.http.HttpHeaders;

/** A client that makes a call on the thread that asks for it. */
interface BlockingClient {

    /**
     * Makes the call and hands its answer over. The connection is free again, or closed, when this returns or throws.
     *
     * @throws IOException if the call fails, or what the consumer throws
     */
    void call(OutboundCall call, AnswerConsumer consumer) throws IOException;

    /** Takes an answer while its connection is held. */
    @FunctionalInterface
    interface AnswerConsumer {
        void accept(int status, HttpHeaders headers, InputStream body) throws IOException;
    }
}
