package townhall;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Files of the archive from a database, whose few connections are lent by a pool that was written here. */
public final class Archive {
    private final LinkedList<Connection> free = new LinkedList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();

    public static void main(String[] arguments) throws IOException, SQLException {
        var archive = new Archive();
        for (int number = 0; number < Integer.getInteger("archive.connections", 4); number++) {
            archive.giveBack(DriverManager.getConnection("jdbc:ledger:" + TownHall.OFFICE));
        }
        TownHall.open(archive::find);
    }

    private String find() throws SQLException, InterruptedException {
        var connection = takeConnection();
        try (var query = connection.prepareStatement("SELECT shelf FROM files WHERE number = ?")) {
            query.setInt(1, 1871);
            var rows = query.executeQuery();
            return "shelf " + (rows.next() ? rows.getInt(1) : 0);
        } finally {
            giveBack(connection);
        }
    }

    private Connection takeConnection() throws InterruptedException {
        lock.lock();
        try {
            while (free.isEmpty()) {
                returned.await();
            }
            return free.removeFirst();
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(Connection connection) {
        lock.lock();
        try {
            free.addLast(connection);
            returned.signal();
        } finally {
            lock.unlock();
        }
    }
}
