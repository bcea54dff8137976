package depot;

import java.io.IOException;

/** Orders for the workshop, with numbers of a generator that fetches them in small blocks while all others wait. */
public final class WorkOrders {
    public static void main(String[] arguments) {
        var numbers = new OrderNumbers(Integer.getInteger("orders.block", 4));
        Depot.undertow(() -> "order " + numbers.next());
    }

    private static final class OrderNumbers {
        private final int block;
        private long next;
        private long end;

        OrderNumbers(int block) {
            this.block = block;
        }

        synchronized long next() throws IOException {
            if (next == end) {
                long start = end + Depot.askControl().length();
                next = start;
                end = start + block;
            }
            return next++;
        }
    }
}
