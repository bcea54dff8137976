package ferry;

/** Healthy: the dry dock asks far more than the few threads of its own group can do, and no passenger waits for it. */
public final class DryDock {
    public static void main(String[] arguments) throws Exception {
        var dock = new Thread(DryDock::inspect, "dry-dock");
        dock.setDaemon(true);
        dock.start();
        Ferry.open(() -> "berths " + new Berths.Lookup("berths").execute().length());
    }

    private static void inspect() {
        try {
            while (true) {
                for (int plate = 0; plate < 60; plate++) {
                    new Berths.Lookup("dry-dock").queue();
                }
                Thread.sleep(1_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
