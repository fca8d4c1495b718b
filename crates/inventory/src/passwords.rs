//! Passwords in URLs: they are refused in fields, and left out of errors.

use std::borrow::Cow;

/// The end of the scheme of a URL.
const SCHEME_END: &str = "://";

/// Returns true if a URL has a user name or a password before its host.
pub fn names_user(url: &str) -> bool {
    let address = url.split_once(SCHEME_END).map_or(url, |(_, address)| address);
    address.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

/// Returns a text without the user names and passwords of URLs in it.
pub fn without_passwords(text: &str) -> Cow<'_, str> {
    if !text.contains(SCHEME_END) {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(SCHEME_END) {
        let (before, address) = rest.split_at(at + SCHEME_END.len());
        let (address, after) = address.split_at(end_of_address(address));
        shown.push_str(before);
        // A password can contain the characters that end it elsewhere, so the last one counts.
        match address.rfind('@') {
            Some(at) => shown.extend(["…", &address[at..]]),
            None => shown.push_str(address),
        }
        rest = after;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// Returns the index at which an address ends in a text: at a space, or at a quotation mark that is not escaped.
fn end_of_address(text: &str) -> usize {
    let mut last = ' ';
    let is_end = |each: char| {
        let ends = each.is_whitespace() || each == '"' && last != '\\';
        last = each;
        ends
    };
    text.find(is_end).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_name_is_before_the_host() {
        for (url, names) in [
            ("https://root:hunter2@a.example/x", true),
            ("root@a.example", true),
            ("https://a.example/@root", false),
            ("https://a.example?a=b@c", false),
            ("https://a.example", false),
        ] {
            assert_eq!(names_user(url), names, "{url}");
        }
    }

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (text, shown) in [
            ("no address", "no address"),
            ("redfish://10.0.0.7", "redfish://10.0.0.7"),
            ("redfish://root:hunter2@10.0.0.7/x", "redfish://…@10.0.0.7/x"),
            ("redfish://root:hun/t@er2@10.0.0.7", "redfish://…@10.0.0.7"),
            ("\"a://b:hunter2@c\",\"d://e:hunter2@f\" g://h", "\"a://…@c\",\"d://…@f\" g://h"),
            ("\"a://b:hun\\\"ter2@c\"", "\"a://…@c\""),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }
}
