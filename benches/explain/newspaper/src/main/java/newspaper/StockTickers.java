package newspaper;

import java.io.IOException;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Prices of shares, requested over a broker of ZeroMQ from the few workers that are behind it. */
public final class StockTickers {
    private static final String FRONT = "inproc://prices";
    private static final String BACK = "inproc://workers";

    public static void main(String[] arguments) {
        var context = new ZContext();
        start("broker", () -> broke(context));
        for (int number = 1; number <= Integer.getInteger("tickers.workers", 3); number++) {
            start("ticker-" + number, () -> work(context));
        }
        Newspaper.open(() -> {
            try (var socket = context.getContext().socket(SocketType.REQ)) {
                socket.connect(FRONT);
                socket.send("ACME");
                return "price " + socket.recvStr();
            }
        });
    }

    private static void broke(ZContext context) {
        var front = context.createSocket(SocketType.ROUTER);
        front.bind(FRONT);
        var back = context.createSocket(SocketType.DEALER);
        back.bind(BACK);
        ZMQ.proxy(front, back, null);
    }

    private static void work(ZContext context) {
        var socket = context.createSocket(SocketType.REP);
        socket.connect(BACK);
        while (socket.recvStr() != null) {
            try {
                socket.send("" + Newspaper.askAgency().length());
            } catch (IOException e) {
                socket.send("unknown");
            }
        }
    }

    private static void start(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
