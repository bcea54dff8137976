package foundry.moulds;

import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps the entries that were used last. */
class LastUsed<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    LastUsed(int most) {
        super(2 * most, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
