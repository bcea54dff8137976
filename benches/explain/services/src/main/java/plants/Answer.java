package plants;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Locale;

/** Answers to clients that are made by hand. */
final class Answer {
    private Answer() {}

    /** The body of the next one, whose length is told. */
    static String read(BufferedReader in) throws IOException {
        int length = 0;
        for (var line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        var body = new char[length];
        for (int read = 0; read < length; ) {
            read += in.read(body, read, length - read);
        }
        return new String(body);
    }
}
