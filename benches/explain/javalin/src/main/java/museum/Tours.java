package museum;

import java.io.IOException;
import java.util.function.Supplier;

/** Tours as plugins, of which each request loads the newest, where the depot says: the virtual machine waits. */
public final class Tours {
    private static final String NEWEST = "museum.Tours$Gallery";

    /** The tour, which is loaded anew by each loader. */
    public static final class Gallery implements Supplier<String> {
        @Override
        public String get() {
            return "through the gallery";
        }
    }

    private static final class Plugins extends ClassLoader {
        Plugins() {
            super(Tours.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(NEWEST)) {
                return super.loadClass(name, resolve);
            }
            try (var file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                Museum.askDepot();
                var code = file.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] arguments) {
        Museum.open(() -> {
            var tour = Class.forName(NEWEST, true, new Plugins())
                    .asSubclass(Supplier.class)
                    .getDeclaredConstructor();
            return "a tour " + tour.newInstance().get();
        });
    }
}
