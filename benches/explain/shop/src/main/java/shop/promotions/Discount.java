package shop.promotions;

import java.util.function.DoubleUnaryOperator;

/** A rule of a promotion. */
public final class Discount implements DoubleUnaryOperator {
    @Override
    public double applyAsDouble(double price) {
        return price * 0.9;
    }
}
