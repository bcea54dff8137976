//! How a curl command wants its connections to be made.

use std::num::NonZeroU32;

use plimsoll_drive::connection::{ConnectTo, Connection, Identity};
use plimsoll_import::{HttpVersion, TransferOptions};

use crate::failure::Failure;

/// Imported options in the driver's terms.
pub fn of(imported: &TransferOptions) -> Result<Connection, Failure> {
    let mut connection = Connection::default();
    if let Some(HttpVersion::Http2 | HttpVersion::Http2PriorKnowledge) = imported.http {
        connection.http2_streams = Some(NonZeroU32::MIN);
    }
    connection.tls.insecure = imported.insecure;
    connection.tls.ca_cert = imported.cacert.as_ref().map(Into::into);
    connection.tls.identity = identity(imported)?;
    connection.unix_socket = imported.unix_socket.as_ref().map(Into::into);
    let proxy = imported.proxy.as_ref().map(|proxy| proxy.parse().map_err(|why| refused("-x", why)));
    connection.proxy = proxy.transpose()?;
    // curl, too, looks at --connect-to first.
    for text in &imported.connect_to {
        connection.connect_to.push(text.parse().map_err(|why| refused("--connect-to", why))?);
    }
    for text in &imported.resolve {
        connection.connect_to.push(resolved(text)?);
    }
    Ok(connection)
}

/// The key may be in the file of the certificate.
fn identity(imported: &TransferOptions) -> Result<Option<Identity>, Failure> {
    match (&imported.cert, &imported.key) {
        (Some(cert), key) => Ok(Some(Identity { cert: cert.into(), key: key.as_ref().unwrap_or(cert).into() })),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(refused("--key", "expected --cert with the certificate as well".to_owned())),
    }
}

/// curl's `HOST:PORT:ADDRESS[,ADDRESS]…`: the first address, which is where curl, too, tries first.
fn resolved(text: &str) -> Result<ConnectTo, Failure> {
    let expected = || refused("--resolve", format!("expected HOST:PORT:ADDRESS, found `{text}`"));
    let mut parts = text.trim_start_matches('+').splitn(3, ':');
    let (Some(host), Some(port), Some(addresses)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(expected());
    };
    let address = addresses.split(',').next().unwrap_or_default();
    let address = match address.contains(':') && !address.starts_with('[') {
        true => format!("[{address}]"),
        false => address.to_owned(),
    };
    let host = if host == "*" { "" } else { host };
    format!("{host}:{port}:{address}:{port}").parse().map_err(|_| expected())
}

fn refused(flag: &str, why: String) -> Failure {
    Failure::input(format_args!("{flag}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curls_words_become_the_drivers() {
        let imported = TransferOptions {
            insecure: true,
            proxy: Some("http://p:3128".to_owned()),
            connect_to: vec!["h:1:i:2".to_owned()],
            resolve: vec!["+h:443:127.0.0.1,::1".to_owned(), "*:80:::1".to_owned()],
            cert: Some("me.pem".to_owned()),
            http: Some(HttpVersion::Http2),
            ..TransferOptions::default()
        };
        let connection = of(&imported).unwrap();
        let expected = ["h:1:i:2", "h:443:127.0.0.1:443", ":80:[::1]:80"].map(|text| text.parse().unwrap());
        assert_eq!(connection.connect_to, expected);
        assert_eq!(connection.proxy, Some("http://p:3128".parse().unwrap()));
        assert_eq!(connection.http2_streams, NonZeroU32::new(1));
        let identity = connection.tls.identity.unwrap();
        assert!(connection.tls.insecure && identity.key == identity.cert);
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_its_flag() {
        let refused = |imported: TransferOptions| of(&imported).unwrap_err().to_string();
        let resolve = vec!["h:443".to_owned()];
        assert!(
            refused(TransferOptions { resolve, ..Default::default() })
                .contains("--resolve: expected HOST:PORT:ADDRESS")
        );
        let key = Some("me.key".to_owned());
        assert!(refused(TransferOptions { key, ..Default::default() }).contains("--key: expected --cert"));
        let proxy = Some("ftp://p".to_owned());
        assert!(refused(TransferOptions { proxy, ..Default::default() }).contains("-x: "));
    }
}
