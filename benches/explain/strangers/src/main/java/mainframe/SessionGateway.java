package mainframe;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import support.Backend;

/** Accounts from a mainframe, whose sessions Apache Commons Pool keeps: few of them. */
public final class SessionGateway {
    private static final class Sessions extends BasePooledObjectFactory<HostSession> {
        @Override
        public HostSession create() throws Exception {
            return new HostSession();
        }

        @Override
        public PooledObject<HostSession> wrap(HostSession session) {
            return new DefaultPooledObject<>(session);
        }

        @Override
        public void destroyObject(PooledObject<HostSession> session) throws Exception {
            session.getObject().logOff();
        }
    }

    public static void main(String[] arguments) {
        var config = new GenericObjectPoolConfig<HostSession>();
        config.setMaxTotal(Integer.getInteger("gateway.sessions", 5));
        config.setMaxIdle(config.getMaxTotal());
        var sessions = new GenericObjectPool<>(new Sessions(), config);
        Undertow.builder()
                .addHttpListener(Backend.PORT, "127.0.0.1")
                .setWorkerThreads(250)
                .setHandler(new BlockingHandler(
                        exchange -> exchange.getResponseSender().send(balance(sessions))))
                .build()
                .start();
    }

    private static String balance(GenericObjectPool<HostSession> sessions) throws Exception {
        var session = sessions.borrowObject();
        try {
            return "balance " + session.transact("BAL1").length();
        } finally {
            sessions.returnObject(session);
        }
    }
}
