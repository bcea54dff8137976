package foundry.shipments;

/** A line of a shipment, whose alloy's name is looked up once it is asked for. */
public class Line {
    private final int code;
    private final Names names;

    Line(int code, Names names) {
        this.code = code;
        this.names = names;
    }

    public int getCode() {
        return code;
    }

    public String getAlloy() {
        return names.name(code);
    }
}
