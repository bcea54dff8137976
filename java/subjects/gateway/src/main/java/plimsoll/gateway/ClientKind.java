package plimsoll.gateway;

/** What the gateway calls others by. */
public enum ClientKind {
    RESTTEMPLATE_SIMPLE("HttpURLConnection"),
    RESTTEMPLATE_POOLED("Apache HttpClient 5"),
    RESTCLIENT_JDK("the JDK's HttpClient"),
    FEIGN_DEFAULT("HttpURLConnection"),
    FEIGN_HC5("Apache HttpClient 5"),
    FEIGN_OKHTTP("OkHttp"),
    WEBCLIENT("Reactor Netty");

    private final String library;

    ClientKind(String library) {
        this.library = library;
    }

    /** The library that opens the connections, as error messages name it. */
    public String library() {
        return library;
    }
}
