package hotel;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.annotation.XmlRootElement;
import java.io.StringWriter;
import java.util.List;

/** Bills as XML, by JAXB. */
@Path("/")
public final class Bills {
    /** A bill. */
    @XmlRootElement
    public static final class Bill {
        public String guest = "Ada";
        public List<String> items = List.of("room", "breakfast", "minibar");
    }

    private final JAXBContext kept;

    private Bills() throws JAXBException {
        kept = Boolean.getBoolean("bills.keep-context") ? JAXBContext.newInstance(Bill.class) : null;
    }

    @GET
    @Produces("application/xml")
    public String bill() throws JAXBException {
        var context = kept == null ? JAXBContext.newInstance(Bill.class) : kept;
        var xml = new StringWriter();
        context.createMarshaller().marshal(new Bill(), xml);
        return xml.toString();
    }

    public static void main(String[] arguments) throws JAXBException {
        Hotel.open(new Bills());
    }
}
