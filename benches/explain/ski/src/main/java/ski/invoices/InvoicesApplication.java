package ski.invoices;

import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Invoices of the ski school as pages; limited by the CPU, which compiles the style sheet for each of them. */
@SpringBootApplication
@RestController
public class InvoicesApplication {
    private static final String COURSE = "<course day='%d' group='C'><pupil>Ida</pupil><fee>%d.00</fee></course>";

    private final Templates kept;

    InvoicesApplication(@Value("${invoices.keep-style:false}") boolean keep) throws TransformerConfigurationException {
        kept = keep ? TransformerFactory.newInstance().newTemplates(style()) : null;
    }

    @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
    String print() throws TransformerException {
        var page = new StringWriter();
        printer().transform(new StreamSource(new StringReader(invoice())), new StreamResult(page));
        return page.toString();
    }

    private Transformer printer() throws TransformerConfigurationException {
        return kept == null ? TransformerFactory.newInstance().newTransformer(style()) : kept.newTransformer();
    }

    private static StreamSource style() {
        return new StreamSource(InvoicesApplication.class.getResourceAsStream("/invoice.xsl"));
    }

    private static String invoice() {
        var invoice = new StringBuilder("<invoice guest='Lindholm'>");
        for (int day = 1; day <= 5; day++) {
            invoice.append(COURSE.formatted(day, 40 + day));
        }
        return invoice.append("</invoice>").toString();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(InvoicesApplication.class, arguments);
    }
}
