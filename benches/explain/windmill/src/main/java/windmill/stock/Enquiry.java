package windmill.stock;

import java.util.concurrent.CompletableFuture;

/** A question about a flour, and the answer that will be given. */
record Enquiry(String flour, CompletableFuture<String> told) {}
