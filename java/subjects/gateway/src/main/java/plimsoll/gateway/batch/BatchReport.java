package plimsoll.gateway.batch;

import java.util.List;

/**
 * How a batch of calls went.
 *
 * @param totalMs from the first call's begin to the last one's end
 * @param failures how many calls failed, each after its second attempt
 * @param calls in the order of their numbers
 */
public record BatchReport(double totalMs, long failures, List<Call> calls) {

    /**
     * One call of a batch.
     *
     * @param call its number, from 1
     * @param startMs when it began, since the batch began
     * @param ms how long it took, with its second attempt and the wait before that if there was one
     * @param attempts 1 or 2
     * @param status the answer's; 0 without an answer
     * @param reason why it failed; null if it did not
     */
    public record Call(int call, double startMs, double ms, int attempts, int status, String reason) {}
}
