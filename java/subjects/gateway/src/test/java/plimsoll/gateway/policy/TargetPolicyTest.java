package plimsoll.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.Reason;

class TargetPolicyTest {

    @Test
    void nobodyMayBeCalledByDefault() {
        refuses(policy(), "https://api.example.com/", Reason.NOT_ALLOWED);
    }

    @ParameterizedTest
    @CsvSource({
        "api.example.com, https://api.example.com/, true",
        "api.example.com, https://API.Example.com./, true",
        "api.example.com, https://api.example.com:8443/, true",
        "api.example.com, https://xapi.example.com/, false",
        "api.example.com, https://api.example.com.evil.org/, false",
        "*.example.com, https://a.b.example.com/, true",
        "*.example.com, https://example.com/, false",
        "*.example.com, https://evilexample.com/, false",
        "api.example.com:443, https://api.example.com/, true",
        "api.example.com:443, http://api.example.com/, false",
        "*:443, https://api.example.com/, true",
        "*, http://api.example.com/, true",
        "1.1.1.1, http://1.1.1.1/, true",
        "2606:4700::1111, 'http://[2606:4700::1111]/', true",
        "[2606:4700::1111]:80, 'http://[2606:4700::1111]/', true",
        "[2606:4700::1111]:81, 'http://[2606:4700::1111]/', false",
    })
    void hostsAreMatchedWhole(String pattern, String url, boolean allowed) {
        if (allowed) {
            policy(pattern).admit(url);
        } else {
            refuses(policy(pattern), url, Reason.NOT_ALLOWED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*.", "a.*.b", "host:0", "host:http", "host:65536", "**"})
    void patternsThatMeanNothingAreRefused(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> policy(pattern)).withMessageContaining("allowed-hosts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://example.com/",
                "file://example.com/etc/passwd",
                "gopher://example.com/",
                "jar://example.com/"
            })
    void otherSchemesAreRefused(String url) {
        refuses(policy("*"), url, Reason.NOT_ALLOWED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com",
                "/path",
                "//example.com/",
                "mailto:ada@example.com",
                "https:///path",
                "https://",
                "https://user:secret@example.com/",
                "https://allowed.example@example.com/",
                "https://example.com:0/",
                "https://example.com:/",
                "https://example.com:65536/",
                "https://example.com:-1/",
                "https://example.com:80:80/",
                "https://exa mple.com/",
                "https://example.com/a b",
                "https://example.com/\r\nX-Evil: 1",
                "https://example.com\\@evil.org/",
                "https://example.com/{template}",
                "https://under_score.example/"
            })
    void whatIsNoPlainUrlIsRefused(String url) {
        refuses(policy("*"), url, Reason.BAD_TARGET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://127.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://[::1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://169.254.169.254/latest/meta-data/",
                "http://localhost:8080/",
                "http://10.1.2.3/"
            })
    void privateAddressesAreRefusedWithoutAResolver(String url) {
        assertThatExceptionOfType(CallFailure.class)
                .isThrownBy(() -> policy("*").admit(url));
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com, https://example.com/",
        "HTTPS://example.com/A?b=%2F;c#part, https://example.com/A?b=%2F;c",
        "https://example.com/한강?q=ü, https://example.com/%ED%95%9C%EA%B0%95?q=%C3%BC",
        "https://example.com?q=1, https://example.com/?q=1",
        "https://example.com//a/../b/, https://example.com//a/../b/",
    })
    void theRestOfTheUrlIsPassedOnAsItIs(String url, String target) {
        assertThat(policy("*").admit(url)).hasToString(target);
    }

    private static TargetPolicy policy(String... allowedHosts) {
        return new TargetPolicy(new AllowedHosts(List.of(allowedHosts)), new AddressPolicy(false));
    }

    private static void refuses(TargetPolicy policy, String url, Reason reason) {
        assertThatExceptionOfType(CallFailure.class)
                .isThrownBy(() -> policy.admit(url))
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(reason));
    }
}
