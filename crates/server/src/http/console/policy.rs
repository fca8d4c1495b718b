//! The content security policy of the console.

use axum::http::HeaderValue;

/// The rules of the policy (CSP Level 3, Trusted Types). All that the console loads comes from this server, and no
/// script can make markup or a script out of text. The rule for connections is the last one.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                          font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                          require-trusted-types-for 'script'; trusted-types 'none'; connect-src 'self'";

/// Returns the policy of a console that also connects to the origin of an issuer.
pub fn policy_with(origin: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!("{POLICY} {origin}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_the_issuer_and_nothing_inline() {
        let policy = policy_with("https://id.example.org").expect("a header");
        let policy = policy.to_str().expect("text");
        assert!(policy.ends_with("connect-src 'self' https://id.example.org"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
    }
}
