package ferry;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlRootElement;
import java.io.StringWriter;
import java.util.List;

/** Forms for customs as XML, each by a JAXB context of its own. */
public final class CustomsForms {
    /** A form. */
    @XmlRootElement
    public static final class Form {
        @XmlElement
        String ship = "Aurora";

        @XmlElement
        List<Item> items = List.of(new Item(), new Item());
    }

    /** Goods to be declared. */
    public static final class Item {
        @XmlElement
        String goods = "cheese";

        @XmlElement
        int grams = 750;
    }

    public static void main(String[] arguments) throws Exception {
        boolean one = Boolean.getBoolean("customs.one-context");
        var shared = JAXBContext.newInstance(Form.class);
        Ferry.open(() -> fill(one ? shared : JAXBContext.newInstance(Form.class)));
    }

    private static String fill(JAXBContext context) throws JAXBException {
        var xml = new StringWriter();
        context.createMarshaller().marshal(new Form(), xml);
        return xml.toString();
    }
}
