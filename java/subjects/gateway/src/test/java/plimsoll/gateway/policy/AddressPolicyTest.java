package plimsoll.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPolicyTest {

    private final AddressPolicy closed = new AddressPolicy(false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "168.63.129.16",
                "169.254.0.0",
                "169.254.169.254",
                "169.254.255.255",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.170",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::7f00:1",
                "::ffff:127.0.0.1",
                "::ffff:0:127.0.0.1",
                "1::1",
                "4000::1",
                "5f00::1",
                "2001:0:7f00:1::",
                "2606:4700::5efe:127.0.0.1",
                "2606:4700::200:5efe:10.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a00:1",
                "64:ff9b:1::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:a9fe:a9fe::1",
                "fc00::1",
                "fdff::1",
                "fe80::1",
                "fec0::1",
                "ff02::1"
            })
    void specialAddressesAreRefused(String address) throws UnknownHostException {
        assertThat(closed.matches(InetAddress.getByName(address))).isFalse();
        assertThat(new AddressPolicy(true).matches(InetAddress.getByName(address)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "64:ff9b::101:101",
                "2002:101:101::1",
                "2606:4700::5efe:1.1.1.1",
                "2606:4700:4700::1111"
            })
    void publicAddressesAreAllowed(String address) throws UnknownHostException {
        assertThat(closed.matches(InetAddress.getByName(address))).isTrue();
    }

    @Test
    void aNameKeepsItsPublicAddressesOnly() throws UnknownHostException {
        var inside = InetAddress.getByName("10.0.0.1");
        var outside = InetAddress.getByName("1.1.1.1");

        assertThat(closed.admit("both.example", List.of(inside, outside))).containsExactly(outside);
        assertThatExceptionOfType(AddressRefusedException.class)
                .isThrownBy(() -> closed.admit("inside.example", List.of(inside)))
                .withMessageContaining("inside.example is 10.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "::1", "localhost", "LocalHost", "0"
            })
    void addressesThatNoResolverIsAskedForAreCheckedToo(String host) {
        assertThatExceptionOfType(UnknownHostException.class).isThrownBy(() -> closed.checkUnresolved(host));
    }

    @Test
    void namesAreLeftToTheResolver() throws UnknownHostException {
        closed.checkUnresolved("no-such-host.invalid");
        closed.checkUnresolved("1.example.invalid");
    }
}
