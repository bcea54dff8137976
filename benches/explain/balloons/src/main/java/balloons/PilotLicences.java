package balloons;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.Validator;

/** Licences of pilots, checked against the authority's JSON schema, which is read anew for each: the CPU is busy. */
public final class PilotLicences {
    private static final JsonObject LICENCE = licence();

    public static void main(String[] arguments) {
        var kept = Boolean.getBoolean("licences.keep-validator") ? validator() : null;
        Field.serve(Field.vertx(), 4, request -> {
            var validator = kept == null ? validator() : kept;
            return Future.succeededFuture(
                    "valid: " + validator.validate(LICENCE).getValid());
        });
    }

    private static Validator validator() {
        var options =
                new JsonSchemaOptions().setBaseUri("https://authority.example").setDraft(Draft.DRAFT202012);
        return Validator.create(JsonSchema.of(schema()), options);
    }

    private static JsonObject schema() {
        var properties = new JsonObject();
        var definitions = new JsonObject();
        for (int rating = 0; rating < 60; rating++) {
            properties.put("rating" + rating, new JsonObject().put("$ref", "#/$defs/rating" + rating));
            definitions.put("rating" + rating, rating());
        }
        return new JsonObject()
                .put("$id", "https://authority.example/licence")
                .put("type", "object")
                .put("properties", properties)
                .put("$defs", definitions);
    }

    private static JsonObject rating() {
        var hours = new JsonObject().put("type", "integer").put("minimum", 0).put("maximum", 100_000);
        var name = new JsonObject().put("type", "string").put("minLength", 1);
        return new JsonObject()
                .put("type", "object")
                .put("properties", new JsonObject().put("hours", hours).put("name", name));
    }

    private static JsonObject licence() {
        var licence = new JsonObject();
        for (int rating = 0; rating < 3; rating++) {
            licence.put("rating" + rating, new JsonObject().put("hours", 70).put("name", "hot air, group A"));
        }
        return licence;
    }
}
