package shop.promotions;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import shop.Supplier;

/** Loads a rule anew, after it has asked the head office whether this is the version that holds today. */
final class Rules extends ClassLoader {
    private static final HttpClient OFFICE = HttpClient.newHttpClient();
    private static final HttpRequest VERSION =
            HttpRequest.newBuilder(Supplier.ADDRESS.resolve("/version")).build();

    Rules() {
        super(Rules.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.startsWith("shop.promotions.") ? findClass(name) : super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        var version = OFFICE.sendAsync(VERSION, BodyHandlers.ofString()).join().body();
        try (var file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            var code = file.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name + " of version " + version, e);
        }
    }
}
