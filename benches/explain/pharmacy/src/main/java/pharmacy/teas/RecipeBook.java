package pharmacy.teas;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.web.client.RestClient;

/** Keeps the last recipes, and asks the herbalist for others while it is held. */
class RecipeBook {
    private final RestClient herbalist;
    private final Map<Integer, String> last = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
            return size() > 10;
        }
    };

    RecipeBook(RestClient herbalist) {
        this.herbalist = herbalist;
    }

    synchronized String recipe(int tea) {
        var known = last.get(tea);
        if (known == null) {
            known = herbalist.get().uri("/teas/{tea}", tea).retrieve().body(String.class);
            last.put(tea, known);
        }
        return known;
    }
}
