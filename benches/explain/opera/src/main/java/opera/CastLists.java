package opera;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;

/** Casts of an evening: inquiries at the artists' agency form one stream, which is counted, too. */
public final class CastLists extends House {
    private record Inquiry(String evening, Promise<JsonObject> cast) {}

    private MultiEmitter<? super Inquiry> inquiries;

    @Override
    void routes(Router router) {
        var agency = partner(200);
        Multi.createFrom()
                .<Inquiry>emitter(emitter -> inquiries = emitter, BackPressureStrategy.BUFFER)
                .onItem()
                .transformToUni(inquiry -> ask(agency, inquiry))
                .merge(Integer.getInteger("casts.at-once", 3))
                .subscribe()
                .with(answered -> {}, Throwable::printStackTrace);
        router.get("/evenings/:evening/cast").respond(context -> {
            var inquiry = new Inquiry(context.pathParam("evening"), Promise.promise());
            inquiries.emit(inquiry);
            return inquiry.cast().future();
        });
    }

    private static Uni<Integer> ask(WebClient agency, Inquiry inquiry) {
        return Uni.createFrom()
                .completionStage(
                        () -> agency.get("/casts/" + inquiry.evening()).send().toCompletionStage())
                .map(HttpResponse::bodyAsBuffer)
                .map(Buffer::length)
                .onItem()
                .invoke(singers -> inquiry.cast().complete(cast(inquiry, singers)))
                .onFailure()
                .invoke(inquiry.cast()::fail)
                .onFailure()
                .recoverWithItem(0);
    }

    private static JsonObject cast(Inquiry inquiry, int singers) {
        return new JsonObject().put("evening", inquiry.evening()).put("singers", singers);
    }

    public static void main(String[] arguments) {
        open(CastLists::new);
    }
}
