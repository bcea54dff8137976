package sawmill;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Delivery notes by XSLT, a servlet on Jetty; limited by the CPU, which compiles the stylesheet for each note. */
final class DeliveryNotes extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final boolean KEEP = Boolean.getBoolean("notes.keep-stylesheet");
    private static final String NOTE =
            "<note no='7'>" + "<board wood='oak' length='4' count='12'/>".repeat(8) + "</note>";
    private static Templates kept;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            var page = new StringWriter();
            stylesheet().newTransformer().transform(source(NOTE), new StreamResult(page));
            response.getWriter().println(page);
        } catch (TransformerException e) {
            throw new IOException(e);
        }
    }

    private static Templates stylesheet() throws TransformerException, IOException {
        return KEEP ? kept : compile();
    }

    private static Templates compile() throws TransformerException, IOException {
        try (var sheet = DeliveryNotes.class.getResourceAsStream("/delivery-note.xsl")) {
            return TransformerFactory.newInstance().newTemplates(new StreamSource(sheet));
        }
    }

    private static StreamSource source(String text) {
        return new StreamSource(new StringReader(text));
    }

    public static void main(String[] arguments) throws Exception {
        kept = compile();
        Sawmill.jetty(new DeliveryNotes());
    }
}
