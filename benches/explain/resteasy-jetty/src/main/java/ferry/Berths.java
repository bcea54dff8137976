package ferry;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixThreadPoolProperties;

/** Free berths, by a command of Hystrix, which runs in a pool of few threads; the others queue. */
public final class Berths {
    static final class Lookup extends HystrixCommand<String> {
        Lookup(String group) {
            super(Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(group))
                    .andThreadPoolPropertiesDefaults(HystrixThreadPoolProperties.Setter()
                            .withMaxQueueSize(1_000)
                            .withQueueSizeRejectionThreshold(1_000))
                    .andCommandPropertiesDefaults(
                            HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(20_000)));
        }

        @Override
        protected String run() throws Exception {
            return Ferry.askHarbour();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Ferry.open(() -> "berths " + new Lookup("berths").execute().length());
    }
}
