package clinic;

import org.eclipse.jetty.client.HttpClient;

/** Findings from the laboratory, by Jetty's client with few connections. */
public final class Laboratory {
    public static void main(String[] arguments) throws Exception {
        var laboratory = new HttpClient();
        laboratory.setMaxConnectionsPerDestination(Integer.getInteger("laboratory.connections", 5));
        laboratory.start();
        Clinic.open(
                200,
                () -> "findings "
                        + laboratory.GET(Clinic.HOSPITAL).getContentAsString().length());
    }
}
