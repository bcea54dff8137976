package railway.dining;

import java.io.IOException;
import java.net.URI;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.ObjectPool;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** Receipts of all trains go to the bookkeepers, over the two lines that they have. */
class Receipts {
    private static final int TRAINS = 9;
    private static final int LINES = 2;

    private final ObjectPool<Line> lines;

    Receipts(String bookkeepers) {
        var pool = new GenericObjectPool<>(new Lines(URI.create(bookkeepers)));
        pool.setMaxTotal(LINES);
        lines = pool;
    }

    void begin() {
        for (int train = 0; train < TRAINS; train++) {
            int number = train;
            var thread = new Thread(() -> send(number), "receipts-" + train);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void send(int train) {
        try {
            for (int receipt = 0; !Thread.currentThread().isInterrupted(); receipt++) {
                var line = lines.borrowObject();
                try {
                    line.send("/trains/" + train + "/receipts/" + receipt);
                } finally {
                    lines.returnObject(line);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException("receipts of train " + train + " are stuck", e);
        }
    }

    private record Line(URI bookkeepers) {
        void send(String receipt) throws IOException {
            try (var answer = bookkeepers.resolve(receipt).toURL().openStream()) {
                answer.readAllBytes();
            }
        }
    }

    private static class Lines extends BasePooledObjectFactory<Line> {
        private final URI bookkeepers;

        Lines(URI bookkeepers) {
            this.bookkeepers = bookkeepers;
        }

        @Override
        public Line create() {
            return new Line(bookkeepers);
        }

        @Override
        public PooledObject<Line> wrap(Line line) {
            return new DefaultPooledObject<>(line);
        }
    }
}
