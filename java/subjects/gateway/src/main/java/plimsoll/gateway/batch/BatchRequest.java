package plimsoll.gateway.batch;

import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.Reason;

/**
 * A batch of the same call, as asked for.
 *
 * @param calls how many
 * @param concurrency how many of them at a time
 */
public record BatchRequest(CallRequest request, int calls, int concurrency) {

    public static final String DEFAULT_CALLS = "50";
    public static final String DEFAULT_CONCURRENCY = "10";

    private static final int MOST_CALLS = 10_000;
    private static final int MOST_CONCURRENCY = 1_000;

    public static BatchRequest of(CallRequests requests, String url, int calls, int concurrency) {
        within("calls", calls, MOST_CALLS);
        within("concurrency", concurrency, MOST_CONCURRENCY);
        return new BatchRequest(requests.get(url), calls, concurrency);
    }

    private static void within(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new CallFailure(Reason.BAD_REQUEST, name + " must be 1 to " + most + ", but is " + value);
        }
    }
}
