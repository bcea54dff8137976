package cinema.forecasts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Sales of all cinemas, which are sent to the head office ticket by ticket, as fast as it takes them. */
class Sales {
    private static final int CINEMAS = 6;

    private final BlockingQueue<String> tickets = new ArrayBlockingQueue<>(100);
    private final URI office;

    Sales(String office) {
        this.office = URI.create(office);
    }

    void begin() {
        start("head-office", this::send);
        for (int cinema = 0; cinema < CINEMAS; cinema++) {
            int sold = cinema;
            start("sales-" + cinema, () -> sell(sold));
        }
    }

    private static void start(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void sell(int cinema) {
        try {
            for (int ticket = 0; ticket < Integer.MAX_VALUE; ticket++) {
                tickets.put("/sales/" + cinema + "/" + ticket);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send() {
        try {
            while (!Thread.interrupted()) {
                try (var answer = office.resolve(tickets.take()).toURL().openStream()) {
                    answer.readAllBytes();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
