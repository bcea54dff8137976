package windmill.stock;

import java.util.concurrent.CompletableFuture;

/** What somebody wants to know of a flour, and what will be told. */
record Enquiry(String flour, CompletableFuture<String> told) {}
