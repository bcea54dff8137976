package brewery;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Casks in the cellar: a vault is kept from all others while the maltster is told of a cask that leaves it. */
public final class Cellar {
    public static void main(String[] arguments) {
        var vaults = new ReentrantReadWriteLock[Integer.getInteger("cellar.vaults", 1)];
        for (int vault = 0; vault < vaults.length; vault++) {
            vaults[vault] = new ReentrantReadWriteLock();
        }
        Brewery.open(() -> roll(vaults[ThreadLocalRandom.current().nextInt(vaults.length)]));
    }

    private static String roll(ReentrantReadWriteLock vault) throws IOException {
        vault.writeLock().lock();
        try {
            return "cask " + Brewery.askMaltster().length();
        } finally {
            vault.writeLock().unlock();
        }
    }
}
