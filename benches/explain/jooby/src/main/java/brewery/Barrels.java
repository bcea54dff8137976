package brewery;

import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import java.util.List;

/** Barrels from the store, paced by a flow rule of Sentinel, which has requests queue. */
public final class Barrels {
    public static void main(String[] arguments) {
        System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir"));
        var pace = new FlowRule("barrels");
        pace.setGrade(RuleConstant.FLOW_GRADE_QPS);
        pace.setCount(Integer.getInteger("barrels.per-second", 150));
        pace.setControlBehavior(RuleConstant.CONTROL_BEHAVIOR_RATE_LIMITER);
        pace.setMaxQueueingTimeMs(20_000);
        FlowRuleManager.loadRules(List.of(pace));
        Brewery.open(() -> {
            try (var barrel = SphU.entry("barrels")) {
                return "a barrel";
            }
        });
    }
}
