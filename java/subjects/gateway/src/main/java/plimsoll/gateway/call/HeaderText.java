package plimsoll.gateway.call;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Header values outside ASCII. Servers and most clients have each byte as one character, which is Latin-1; who writes such values
 * means UTF-8, and some clients have them so.
 */
public final class HeaderText {

    private HeaderText() {}

    /** The text of a value of which each byte is a character. */
    public static String fromBytes(String bytes) {
        return new String(bytes.getBytes(ISO_8859_1), UTF_8);
    }
}
