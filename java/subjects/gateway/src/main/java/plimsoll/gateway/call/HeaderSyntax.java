package plimsoll.gateway.call;

import java.util.function.Function;
import org.springframework.http.HttpHeaders;

/**
 * Names and values that a header may have (RFC 9110, 5.1 and 5.5). Libraries read others too, and to those who read them next they may mean
 * another header.
 */
final class HeaderSyntax {

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private HeaderSyntax() {}

    /**
     * Checks all of them.
     *
     * @param refusal the failure, of what is wrong in words
     */
    static void check(HttpHeaders headers, Function<String, CallFailure> refusal) {
        headers.forEach((name, values) -> {
            if (name.isEmpty() || !name.chars().allMatch(HeaderSyntax::isOfTokens)) {
                throw refusal.apply("a header whose name is no token");
            }
            for (var value : values) {
                if (value.chars().anyMatch(HeaderSyntax::isControl)) {
                    throw refusal.apply("a control character in the header " + name);
                }
            }
        });
    }

    private static boolean isOfTokens(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || TOKEN_MARKS.indexOf(c) >= 0;
    }

    private static boolean isControl(int c) {
        return c < ' ' && c != '\t' || c == 0x7f;
    }
}
