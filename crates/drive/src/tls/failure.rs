//! Failures of TLS as messages: what went wrong, and what to do.

use rustls::{AlertDescription, CertificateError, Error};

/// A message explaining the failure.
pub(crate) fn explain(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(problem) => certificate(problem),
        Error::InvalidMessage(_) => "the target's answer is not TLS: does it speak plain HTTP on this port?".to_owned(),
        Error::AlertReceived(alert) => self::alert(*alert),
        Error::PeerIncompatible(why) => format!("the target speaks no TLS that is allowed here: {why:?}"),
        Error::NoApplicationProtocol => "the target speaks none of the protocols that were offered".to_owned(),
        other => format!("TLS: {other}"),
    }
}

fn certificate(problem: &CertificateError) -> String {
    let skip = "--insecure accepts any";
    match problem {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            format!("the target's certificate has expired; {skip}")
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            format!("the target's certificate is not valid yet; {skip}")
        }
        CertificateError::UnknownIssuer => {
            format!("the issuer of the target's certificate is unknown; name it by --cacert FILE; {skip}")
        }
        CertificateError::BadSignature => format!(
            "the target's certificate was not signed by the issuer that it names and that is trusted here; is the file \
             of --cacert an old one? {skip}"
        ),
        CertificateError::NotValidForNameContext { expected, presented } => {
            let (expected, presented) = (expected.to_str(), presented.join(", "));
            format!("the target's certificate is not for {expected}, but for {presented}; see --sni; {skip}")
        }
        CertificateError::NotValidForName => {
            format!("the target's certificate is for another name; see --sni; {skip}")
        }
        // rustls has no word of its own for it.
        other if format!("{other:?}").contains("CaUsedAsEndEntity") => format!(
            "the target's certificate is that of an authority, as `openssl req -x509` makes them, and none of a \
             server; {skip}"
        ),
        other => format!("the target's certificate cannot be accepted: {other}; {skip}"),
    }
}

fn alert(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::CertificateRequired => {
            "the target wants a certificate; give one by --cert FILE --key FILE".to_owned()
        }
        AlertDescription::BadCertificate
        | AlertDescription::CertificateUnknown
        | AlertDescription::CertificateExpired
        | AlertDescription::UnknownCA
        | AlertDescription::AccessDenied => {
            format!("the target does not accept the certificate of --cert, or wants one: it said {alert:?}")
        }
        AlertDescription::ProtocolVersion => {
            "the target does not speak the versions of TLS that were offered".to_owned()
        }
        AlertDescription::NoApplicationProtocol => {
            "the target speaks no version of HTTP that was offered: HTTP/2 takes --http2, HTTP/1.1 none".to_owned()
        }
        other => format!("the target refused the handshake: it said {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_services_of_beginners_do_is_told_in_words() {
        let told = explain(&Error::AlertReceived(AlertDescription::NoApplicationProtocol));
        assert!(told.ends_with("HTTP/2 takes --http2, HTTP/1.1 none"), "{told}");
        let told = explain(&Error::InvalidCertificate(CertificateError::UnknownIssuer));
        assert!(told.contains("--cacert") && told.contains("--insecure"), "{told}");
    }
}
