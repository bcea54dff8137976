package newspaper;

import okhttp3.ResponseBody;
import retrofit2.Call;
import retrofit2.Retrofit;
import retrofit2.http.GET;

/** Stories of the wire, of which Retrofit fetches one after the other for a page. */
public final class WireStories {
    private static final int STORIES = Boolean.getBoolean("stories.in-one-call") ? 1 : 14;

    interface Agency {
        @GET("/")
        Call<ResponseBody> story();
    }

    public static void main(String[] arguments) {
        var agency = new Retrofit.Builder()
                .baseUrl(Newspaper.AGENCY.resolve("/").toString())
                .build()
                .create(Agency.class);
        Newspaper.open(() -> {
            int letters = 0;
            for (int story = 0; story < STORIES; story++) {
                try (var body = agency.story().execute().body()) {
                    letters += body.string().length();
                }
            }
            return "letters " + letters;
        });
    }
}
