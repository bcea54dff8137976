use proptest::prelude::*;

use super::*;

fn fields(block: &[u8]) -> Result<Vec<(String, String)>, Malformed> {
    let text = |text: Text<'_>| Ok(String::from_utf8_lossy(&text.to_bytes()?).into_owned());
    Fields::new(block).map(|field| field.and_then(|field| Ok((text(field.name)?, text(field.value)?)))).collect()
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|byte| u8::from_str_radix(str::from_utf8(byte).unwrap(), 16).unwrap()).collect()
}

fn owned(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

#[test]
fn integers_are_those_of_the_rfc() {
    // Appendix C.1.
    for (value, prefix_bits, bytes) in [(10, 5, vec![10]), (1337, 5, vec![31, 154, 10]), (42, 8, vec![42])] {
        let mut encoded = Vec::new();
        encode_integer(value, prefix_bits, 0, &mut encoded);
        assert_eq!(encoded, bytes);
        assert_eq!(Fields::new(&bytes).take_integer(prefix_bits), Ok(value));
    }
}

#[test]
fn fields_are_those_of_the_rfc() {
    // Appendices C.2.1 to C.2.4.
    let custom = "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572";
    assert_eq!(fields(&hex(custom)).unwrap(), owned(&[("custom-key", "custom-header")]));
    assert_eq!(fields(&hex("040c 2f73 616d 706c 652f 7061 7468")).unwrap(), owned(&[(":path", "/sample/path")]));
    assert_eq!(fields(&hex("1008 7061 7373 776f 7264 0673 6563 7265 74")).unwrap(), owned(&[("password", "secret")]));
    assert_eq!(fields(&hex("82")).unwrap(), owned(&[(":method", "GET")]));
}

#[test]
fn requests_are_those_of_the_rfc() {
    let expected = owned(&[(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "www.example.com")]);
    // Appendix C.3.1, and C.4.1 with Huffman's code.
    assert_eq!(fields(&hex("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d")).unwrap(), expected);
    assert_eq!(fields(&hex("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff")).unwrap(), expected);
}

#[test]
fn responses_are_those_of_the_rfc() {
    let expected = owned(&[
        (":status", "302"),
        ("cache-control", "private"),
        ("date", "Mon, 21 Oct 2013 20:13:21 GMT"),
        ("location", "https://www.example.com"),
    ]);
    // Appendix C.5.1, and C.6.1 with Huffman's code.
    let plain = "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
        2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d";
    let huffman = "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
        2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3";
    assert_eq!(fields(&hex(plain)).unwrap(), expected);
    assert_eq!(fields(&hex(huffman)).unwrap(), expected);
    let location = Fields::new(&hex(huffman)).get("location").unwrap().to_bytes().unwrap();
    assert_eq!(location, b"https://www.example.com");
}

#[test]
fn nothing_is_read_from_a_dynamic_table() {
    let refused = |block: &str| fields(&hex(block)).unwrap_err().0;
    assert!(refused("be").contains("dynamic table"), "index 62");
    assert!(refused("80").contains("dynamic table"), "index 0");
    assert!(refused("3fe11f").contains("larger than the announced"), "size update to 4,096");
    assert!(refused("8220").contains("after a field"));
    assert_eq!(fields(&hex("2082")).unwrap().len(), 1, "the size update to 0 that was asked for");
    assert_eq!(fields(&hex("2020")).unwrap().len(), 0);
}

#[test]
fn what_is_cut_or_endless_is_refused() {
    for block in ["40", "400a 63", "0085 ff", "ff", "ff ff ff ff ff 01", "7f ff ff ff ff ff ff ff ff ff ff"] {
        assert!(fields(&hex(block)).is_err(), "{block}");
    }
}

proptest! {
    #[test]
    fn what_is_encoded_reads_back(name in "[a-z:-]{1,200}", value in "[ -~]{0,300}") {
        let mut block = Vec::new();
        encode_field(&name, value.as_bytes(), &mut block);
        encode_field(":method", b"GET", &mut block);
        prop_assert_eq!(fields(&block).unwrap(), owned(&[(&name, &value), (":method", "GET")]));
    }

    #[test]
    fn anything_is_read_to_an_end(block: Vec<u8>) {
        prop_assert!(Fields::new(&block).count() <= block.len());
        let _ = fields(&block);
    }

    #[test]
    fn a_name_is_what_it_decodes_to(block: Vec<u8>, name in "[a-z]{1,3}") {
        for field in Fields::new(&block).flatten() {
            let decoded = field.name.to_bytes();
            prop_assert_eq!(field.name.is(&name), decoded == Ok(name.clone().into_bytes()));
        }
    }
}
