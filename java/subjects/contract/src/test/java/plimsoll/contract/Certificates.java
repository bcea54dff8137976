package plimsoll.contract;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.CertificateBuilder.ExtendedKeyUsage;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;

/** Certificates of upstreams, right and wrong ones, made anew for each run of the tests. */
final class Certificates {

    private static final Duration DAY = Duration.ofDays(1);

    private static final X509Bundle AUTHORITY = authority("CN=Authority of the tests");
    private static final X509Bundle STRANGER = authority("CN=Authority that nobody trusts");

    private static final X509Bundle CLIENT = issued(
            template().subject("CN=gateway").addExtendedKeyUsage(ExtendedKeyUsage.PKIX_KP_CLIENT_AUTH), AUTHORITY);

    private Certificates() {}

    /** The PEM file of the authority that gateways are told to trust. */
    static Path authority() {
        return file("authority.pem", AUTHORITY.getCertificatePEM());
    }

    /** The PEM file of a certificate with which a gateway may call an upstream that demands one. */
    static Path client() {
        return file("client.pem", CLIENT.getCertificatePathPEM());
    }

    /** The PEM file of its key. */
    static Path clientKey() {
        return file("client.key", CLIENT.getPrivateKeyPEM());
    }

    private static Path file(String name, String pem) {
        try {
            return Files.writeString(Path.of("target", name), pem).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A valid one, of 127.0.0.1. */
    static SSLContext good() {
        return context(server().addSanIpAddress("127.0.0.1"), AUTHORITY);
    }

    static SSLContext expired() {
        return context(
                server().addSanIpAddress("127.0.0.1").notAfter(Instant.now().minus(DAY)), AUTHORITY);
    }

    static SSLContext ofAnotherHost() {
        return context(server().addSanDnsName("elsewhere.example"), AUTHORITY);
    }

    static SSLContext ofAStranger() {
        return context(server().addSanIpAddress("127.0.0.1"), STRANGER);
    }

    private static X509Bundle authority(String name) {
        try {
            return template().subject(name).setIsCertificateAuthority(true).buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static CertificateBuilder server() {
        return template().subject("CN=upstream").addExtendedKeyUsage(ExtendedKeyUsage.PKIX_KP_SERVER_AUTH);
    }

    private static CertificateBuilder template() {
        var now = Instant.now();
        return new CertificateBuilder()
                .algorithm(Algorithm.ecp256)
                .notBefore(now.minus(DAY.multipliedBy(2)))
                .notAfter(now.plus(DAY));
    }

    private static SSLContext context(CertificateBuilder certificate, X509Bundle issuer) {
        try {
            var keys = issued(certificate, issuer).toKeyManagerFactory();
            var trust = AUTHORITY.toTrustManagerFactory();
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Bundle issued(CertificateBuilder certificate, X509Bundle issuer) {
        try {
            return certificate.buildIssuedBy(issuer);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
