package greenhouse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * Recipes for fertilizer, loaded anew for each request so that the newest counts. A class that a recipe names is asked for by
 * the JVM, from a native frame, and its loader first asks the station whether it may: meanwhile the carrier is pinned.
 */
public final class Recipes {
    private static final String RECIPE = "greenhouse.Recipes$Tomatoes";

    public static void main(String[] arguments) {
        House.open((request, response) -> response.send(new Loader().newest().get()));
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(Recipes.class.getClassLoader());
        }

        Supplier<?> newestOf(Class<?> recipe) throws ReflectiveOperationException {
            return (Supplier<?>) recipe.getDeclaredConstructor().newInstance();
        }

        Supplier<String> newest() {
            try {
                var recipe = newestOf(loadClass(RECIPE));
                return () -> String.valueOf(recipe.get());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("no recipe", e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Doses.class.getName())) {
                House.ask("licence");
            } else if (!name.equals(RECIPE)) {
                return super.loadClass(name, resolve);
            }
            var known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }

        private Class<?> define(String name) {
            try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
                var bytes = code.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Loaded by each loader anew, and with it {@link Doses}. */
    public static final class Tomatoes implements Supplier<String> {
        @Override
        public String get() {
            return "tomatoes: " + Doses.ofPotash() + " g";
        }
    }

    static final class Doses {
        private Doses() {}

        static int ofPotash() {
            return 12;
        }
    }
}
