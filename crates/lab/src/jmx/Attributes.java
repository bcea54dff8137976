import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads attributes of MBeans of a JVM on this machine whenever it is asked.
 *
 * <p>Input: the address of the JVM's connector, a line `OBJECT/ATTRIBUTE[.KEY]` for each series, an empty line; then an
 * empty line for each reading, until the end. Output: a line for each reading, with a number or `-` for each series,
 * separated by blanks; or a line that begins with `!` and says why nothing can be read.
 */
final class Attributes {
    /** A series: the sum over all objects that the name matches. */
    private record Series(ObjectName name, String attribute, List<String> keys) {
        static Series of(String text) throws MalformedObjectNameException {
            int slash = text.lastIndexOf('/');
            List<String> path = List.of(text.substring(slash + 1).split("\\."));
            return new Series(new ObjectName(text.substring(0, slash)), path.get(0), path.subList(1, path.size()));
        }

        /** The number within the value of the attribute; null if there is none. */
        Double number(Object value) {
            for (String key : keys) {
                value = value instanceof CompositeData data && data.containsKey(key) ? data.get(key) : null;
            }
            if (value instanceof Boolean truth) {
                return truth ? 1.0 : 0.0;
            }
            return value instanceof Number number ? number.doubleValue() : null;
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(input.readLine()))) {
            List<Series> series = new ArrayList<>();
            for (String line = input.readLine(); line != null && !line.isEmpty(); line = input.readLine()) {
                series.add(Series.of(line));
            }
            MBeanServerConnection connection = connector.getMBeanServerConnection();
            while (input.readLine() != null) {
                System.out.println(reading(connection, series));
            }
        } catch (IOException | MalformedObjectNameException | RuntimeException problem) {
            System.out.println("!" + String.valueOf(problem.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static String reading(MBeanServerConnection connection, List<Series> series) throws IOException {
        // One call for each object, whatever is asked of it.
        Map<ObjectName, Set<ObjectName>> objects = new TreeMap<>();
        for (Series one : series) {
            if (!objects.containsKey(one.name())) {
                objects.put(one.name(), one.name().isPattern() ? connection.queryNames(one.name(), null) : Set.of(one.name()));
            }
        }
        Map<ObjectName, Map<String, Object>> values = new TreeMap<>();
        for (Set<ObjectName> names : objects.values()) {
            for (ObjectName name : names) {
                values.computeIfAbsent(name, it -> new TreeMap<>());
            }
        }
        for (var entry : values.entrySet()) {
            String[] wanted = series.stream()
                .filter(one -> objects.get(one.name()).contains(entry.getKey()))
                .map(Series::attribute).distinct().toArray(String[]::new);
            try {
                for (Attribute found : connection.getAttributes(entry.getKey(), wanted).asList()) {
                    entry.getValue().put(found.getName(), found.getValue());
                }
            } catch (InstanceNotFoundException | ReflectionException gone) {
                // It is not registered, or no more: it has no values.
            }
        }
        StringBuilder line = new StringBuilder();
        for (Series one : series) {
            Double sum = null;
            for (ObjectName name : objects.get(one.name())) {
                Double number = one.number(values.get(name).get(one.attribute()));
                if (number != null) {
                    sum = (sum == null ? 0 : sum) + number;
                }
            }
            line.append(line.isEmpty() ? "" : " ").append(sum == null ? "-" : sum.toString());
        }
        return line.toString();
    }
}
