package foundry.shipments;

interface Names {
    String name(int code);
}
