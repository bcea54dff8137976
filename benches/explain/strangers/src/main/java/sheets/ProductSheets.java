package sheets;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import support.Plain;

/** Sheets of products, which soft references keep as long as there is room: there never is. */
public final class ProductSheets {
    private static final int PRODUCTS = 6_000;
    private static final Map<Integer, SoftReference<String[]>> SHEETS = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws IOException {
        Plain.serve(60, () -> {
            int product = ThreadLocalRandom.current().nextInt(PRODUCTS);
            var reference = SHEETS.get(product);
            var sheet = reference == null ? null : reference.get();
            if (sheet == null) {
                sheet = render(product);
                SHEETS.put(product, new SoftReference<>(sheet));
            }
            return sheet[product % sheet.length];
        });
    }

    private static String[] render(int product) {
        var sheet = new String[400];
        for (int line = 0; line < sheet.length; line++) {
            sheet[line] = "product " + product + ", line " + line + ": as good as new";
        }
        return sheet;
    }
}
