package plimsoll.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    @Test
    void theDefaultsAreThoseOfThePublishedServers() {
        var settings = Settings.parse();

        assertThat(settings.mode()).isEqualTo(Mode.PER_REQUEST);
        assertThat(settings.backlog()).as("ServerSocket's own").isEqualTo(50);
        assertThat(settings.keepAlive()).isFalse();
        assertThat(settings.address().getPort()).isEqualTo(8080);
        assertThat(settings.address().getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void everySettingIsTakenFromItsArgument() {
        var settings = Settings.parse(
                "--server.address=127.0.0.1",
                "--server.port=9000",
                "--threads.mode=pool",
                "--threads.pool-size=7",
                "--threads.backlog=4096",
                "--threads.keep-alive=true",
                "--threads.idle-timeout=500ms");

        assertThat(settings.address().getAddress().isLoopbackAddress()).isTrue();
        assertThat(settings.address().getPort()).isEqualTo(9000);
        assertThat(settings)
                .isEqualTo(new Settings(settings.address(), Mode.POOL, 7, 4096, true, Duration.ofMillis(500)));
    }

    @ParameterizedTest
    @EnumSource
    void modesAreNamedAsTheyArePrinted(Mode mode) {
        assertThat(Settings.parse("--threads.mode=" + mode).mode()).isEqualTo(mode);
    }

    @ParameterizedTest
    @CsvSource({
        "--server.port=65536,0 to 65535",
        "--server.port=-1,`-1`",
        "--server.address=no such host,server.address",
        "--threads.mode=fibers,'per-request, pool, virtual'",
        "--threads.pool-size=0,1 to",
        "--threads.pool-size=99999999999,99999999999",
        "--threads.backlog=many,whole number",
        "--threads.keep-alive=yes,true or false",
        "--threads.idle-timeout=20,500ms",
        "--threads.idle-timeout=0s,20s"
    })
    void aWrongValueIsNamedWithWhatWasExpected(String argument, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.parse(argument))
                .withMessageStartingWith(argument.substring(0, argument.indexOf('=')) + ": ")
                .withMessageContaining(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--threads.pool=3", "threads.mode=pool", "--threads.mode", "", "-h"})
    void anUnknownArgumentIsRefusedWithTheHelp(String argument) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.parse(argument))
                .withMessageStartingWith("argument `" + argument + "`")
                .withMessageContaining("--threads.pool-size");
    }

    @Test
    void theHelpNamesEverySetting() {
        var names = Arrays.stream(Mode.values()).map(Mode::toString).toList();

        assertThat(Settings.HELP).contains(names);
    }
}
