//! The requests that a boot server answers, read from their paths.
//!
//! Guarantee: a route has no part of a path that was not checked, and its label, which logs and metrics show, has no part
//! of the path at all, because tokens are in paths.

use underlay_boot::mac;

/// The most bytes of a path with its query.
const MAX_PATH_BYTES: usize = 4_096;
/// The most bytes of a value that identifies a machine.
const MAX_VALUE_BYTES: usize = 128;
/// The most bytes of a token.
const MAX_TOKEN_BYTES: usize = 128;
/// The most MAC addresses of a machine.
pub const MAX_MACS: usize = 64;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The `grub.cfg` of all machines.
    GrubEntry,
    /// The `autoexec.ipxe` of all machines.
    IpxeEntry,
    /// The script of a machine for GRUB.
    GrubStart(Machine),
    /// The script of a machine for iPXE.
    IpxeStart(Machine),
    /// A loader.
    Loader(Owner, Loader),
    /// A file of a boot.
    File { token: String, name: &'static str },
    /// The text of a boot.
    Text { token: String },
    /// The text of the boot of a machine that says in headers what it is.
    Kickstart,
    /// A report of a boot.
    Report { token: String },
    /// Facts of a boot.
    Facts { token: String },
    /// Nothing that is served.
    Nothing,
}

/// The identities that a machine sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    pub macs: Vec<String>,
    pub serial: Option<String>,
    pub uuid: Option<String>,
    pub board_serial: Option<String>,
}

/// The machine to which a loader is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    Mac(String),
    Token(String),
    /// Every machine.
    Anyone,
}

/// A loader, with the name of its file in the folder of loaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loader {
    Shim(&'static str),
    Grub(&'static str),
    /// A loader of the folder alone.
    Own(&'static str),
}

/// The names of files that a boot has.
const FILES: [&str; 4] = ["kernel", "initrd", "shim", "grub"];
/// The names of shim and GRUB for x86-64.
pub const X64: [&str; 2] = ["shimx64.efi", "grubx64.efi"];
/// The names of shim and GRUB for 64-bit ARM.
pub const AA64: [&str; 2] = ["shimaa64.efi", "grubaa64.efi"];
/// The loaders of the folder besides shim and GRUB.
const OWN: [&str; 4] = ["ipxe.efi", "snponly.efi", "ipxe-shimx64.efi", "snponly-shimx64.efi"];

impl Route {
    /// Reads the path and the query of a request.
    pub fn read(path: &str, query: Option<&str>) -> Self {
        if path.len() + query.map_or(0, str::len) > MAX_PATH_BYTES {
            return Self::Nothing;
        }
        // Loaders join paths with two slashes.
        let parts: Option<Vec<String>> = path.split('/').filter(|part| !part.is_empty()).map(unescaped).collect();
        let Some(parts) = parts else { return Self::Nothing };
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        if parts.iter().any(|part| matches!(*part, "." | "..")) {
            return Self::Nothing;
        }
        Self::of(&parts, query)
    }

    fn of(parts: &[&str], query: Option<&str>) -> Self {
        match parts {
            ["boot", "grub", mac, uuid, serial, "grub.cfg"] => Self::GrubStart(Machine {
                macs: addresses([*mac]),
                uuid: value(uuid),
                serial: value(serial),
                board_serial: None,
            }),
            // With another number of parts no machine is named. The entry must not come here, because it asks here.
            ["boot", "grub", .., "grub.cfg"] => Self::GrubStart(Machine::default()),
            ["boot", "ipxe"] => Self::IpxeStart(in_query(query.unwrap_or_default())),
            ["boot", "f", token, name] => match (is_token(token), FILES.iter().find(|it| *it == name)) {
                (true, Some(name)) => Self::File { token: (*token).to_owned(), name },
                _ => Self::Nothing,
            },
            ["boot", "text", token] if is_token(token) => Self::Text { token: (*token).to_owned() },
            ["boot", "kickstart"] => Self::Kickstart,
            ["boot", "report", token] if is_token(token) => Self::Report { token: (*token).to_owned() },
            ["boot", "facts", token] if is_token(token) => Self::Facts { token: (*token).to_owned() },
            // GRUB asks beside itself, or at a place that its maker has chosen, and iPXE beside itself.
            [.., "grub.cfg"] => Self::GrubEntry,
            ["boot", "start" | "m" | "t", .., "autoexec.ipxe"] => Self::IpxeEntry,
            ["boot", "start", .., name] => loader(name).map_or(Self::Nothing, |it| Self::Loader(Owner::Anyone, it)),
            ["boot", "m", text, .., name] => match (mac(text), loader(name)) {
                (Some(mac), Some(loader)) => Self::Loader(Owner::Mac(mac), loader),
                _ => Self::Nothing,
            },
            ["boot", "t", token, .., name] if is_token(token) => {
                loader(name).map_or(Self::Nothing, |it| Self::Loader(Owner::Token((*token).to_owned()), it))
            }
            _ => Self::Nothing,
        }
    }

    /// Returns the route for logs and metrics.
    pub fn label(&self) -> &'static str {
        match self {
            Self::GrubEntry => "/grub/grub.cfg",
            Self::IpxeEntry => "/boot/start/autoexec.ipxe",
            Self::GrubStart(_) => "/boot/grub",
            Self::IpxeStart(_) => "/boot/ipxe",
            Self::Loader(Owner::Mac(_), _) => "/boot/m",
            Self::Loader(Owner::Token(_), _) => "/boot/t",
            Self::Loader(Owner::Anyone, _) => "/boot/start",
            Self::File { .. } => "/boot/f",
            Self::Text { .. } => "/boot/text",
            Self::Kickstart => "/boot/kickstart",
            Self::Report { .. } => "/boot/report",
            Self::Facts { .. } => "/boot/facts",
            Self::Nothing => "other",
        }
    }

    /// Returns true if machines post to the route.
    pub fn is_posted(&self) -> bool {
        matches!(self, Self::Report { .. } | Self::Facts { .. })
    }
}

/// Returns the loader with a name, in any case, as file systems of firmware have names.
fn loader(name: &str) -> Option<Loader> {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        // Firmware asks for shim, and shim for GRUB.
        "shimx64.efi" | "bootx64.efi" | "shim.efi" => Some(Loader::Shim(X64[0])),
        "shimaa64.efi" | "bootaa64.efi" => Some(Loader::Shim(AA64[0])),
        "grubx64.efi" | "grubnetx64.efi" | "grub.efi" => Some(Loader::Grub(X64[1])),
        "grubaa64.efi" | "grubnetaa64.efi" => Some(Loader::Grub(AA64[1])),
        _ => OWN.into_iter().find(|own| *own == name).map(Loader::Own),
    }
}

fn is_token(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=MAX_TOKEN_BYTES).contains(&text.len()) && text.bytes().all(is_letter)
}

/// Returns the addresses among some texts, each once and at most [`MAX_MACS`].
pub fn addresses<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for mac in texts.into_iter().filter_map(mac) {
        if found.len() < MAX_MACS && !found.contains(&mac) {
            found.push(mac);
        }
    }
    found
}

/// Returns a value that identifies a machine, if it is one: GRUB sends `-` for none.
pub fn value(text: &str) -> Option<String> {
    let text = text.trim();
    let is_one = !text.is_empty() && text != "-" && text.len() <= MAX_VALUE_BYTES && !text.contains(char::is_control);
    is_one.then(|| text.to_owned())
}

/// Reads the identities in the query of iPXE.
fn in_query(query: &str) -> Machine {
    let mut machine = Machine::default();
    let mut macs: Vec<String> = Vec::new();
    for pair in query.split('&') {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(text) = unescaped(text) else { continue };
        match name {
            "m" => macs.extend(text.split(',').map(str::to_owned)),
            "s" => machine.serial = value(&text),
            "u" => machine.uuid = value(&text),
            "b" => machine.board_serial = value(&text),
            _ => {}
        }
    }
    machine.macs = addresses(macs.iter().map(String::as_str));
    machine
}

/// Returns a part of a path without escapes, if that is a text without control characters and slashes.
fn unescaped(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal)?);
        rest = rest.get(2..)?;
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(['/', '\\']) && !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAC: &str = "52:54:00:77:00:01";

    fn read(target: &str) -> Route {
        let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
        Route::read(path, query)
    }

    #[test]
    fn paths_are_routes() {
        let machine = |macs: &[&str], serial: Option<&str>, uuid: Option<&str>, board: Option<&str>| Machine {
            macs: macs.iter().map(|it| (*it).to_owned()).collect(),
            serial: serial.map(str::to_owned),
            uuid: uuid.map(str::to_owned),
            board_serial: board.map(str::to_owned),
        };
        let mac_loader = |loader| Route::Loader(Owner::Mac(MAC.to_owned()), loader);
        let token = || "aB-_9".to_owned();
        for (target, expected) in [
            ("/grub/grub.cfg", Route::GrubEntry),
            ("//grub//grub.cfg", Route::GrubEntry),
            ("/debian-installer/amd64/grub/grub.cfg", Route::GrubEntry),
            ("/EFI/debian/grub.cfg", Route::GrubEntry),
            ("/boot/m/525400770001/EFI/BOOT/grub.cfg", Route::GrubEntry),
            ("/boot/start/autoexec.ipxe", Route::IpxeEntry),
            ("/boot/m/525400770001/autoexec.ipxe", Route::IpxeEntry),
            (
                "/boot/grub/52:54:00:77:00:01/4c4c4544-0042/ABC123/grub.cfg",
                Route::GrubStart(machine(&[MAC], Some("ABC123"), Some("4c4c4544-0042"), None)),
            ),
            ("/boot/grub/-/-/-/grub.cfg", Route::GrubStart(Machine::default())),
            ("/boot/grub/52:54:00:77:00:01//ABC123/grub.cfg", Route::GrubStart(Machine::default())),
            ("/boot/grub/grub.cfg", Route::GrubStart(Machine::default())),
            (
                "/boot/ipxe?m=52-54-00-77-00-01,52-54-00-77-00-02&s=A%20B&u=x&b=C",
                Route::IpxeStart(machine(&[MAC, "52:54:00:77:00:02"], Some("A B"), Some("x"), Some("C"))),
            ),
            (
                "/boot/ipxe?m=52%3A54%3A00%3a77%3A00%3A01&m=52-54-00-77-00-01,,x&s=&u=%0a",
                Route::IpxeStart(machine(&[MAC], None, None, None)),
            ),
            ("/boot/ipxe", Route::IpxeStart(Machine::default())),
            ("/boot/m/52-54-00-77-00-01/EFI/BOOT/BOOTX64.EFI", mac_loader(Loader::Shim(X64[0]))),
            ("/boot/m/52%3A54%3A00%3A77%3A00%3A01/shimx64.efi", mac_loader(Loader::Shim(X64[0]))),
            ("/boot/m/525400770001/EFI/BOOT//grubx64.efi", mac_loader(Loader::Grub(X64[1]))),
            ("/boot/m/525400770001/snponly.efi", mac_loader(Loader::Own("snponly.efi"))),
            ("/boot/t/aB-_9/shimx64.efi", Route::Loader(Owner::Token(token()), Loader::Shim(X64[0]))),
            ("/boot/start/ipxe-shimx64.efi", Route::Loader(Owner::Anyone, Loader::Own("ipxe-shimx64.efi"))),
            ("/boot/f/aB-_9/kernel", Route::File { token: token(), name: "kernel" }),
            ("/boot/text/aB-_9", Route::Text { token: token() }),
            ("/boot/kickstart", Route::Kickstart),
            ("/boot/report/aB-_9", Route::Report { token: token() }),
            ("/boot/facts/aB-_9", Route::Facts { token: token() }),
        ] {
            assert_eq!(read(target), expected, "{target}");
        }
    }

    #[test]
    fn other_paths_are_nothing() {
        let long = format!("/boot/text/{}", "a".repeat(MAX_TOKEN_BYTES + 1));
        let longer = format!("/boot/ipxe?s={}", "a".repeat(MAX_PATH_BYTES));
        for target in [
            "/",
            "/boot/m/525400770001/revocations_sbat.efi",
            "/boot/m/525400770001/EFI/BOOT/shim_certificate_0.efi",
            "/grub/x86_64-efi/command.lst",
            "/boot/m/ffffffffffff/shimx64.efi",
            "/boot/m/x/shimx64.efi",
            "/boot/f/aB-_9/../../etc/passwd",
            "/boot/f/aB-_9/%2e%2e",
            "/boot/f/aB-_9/passwd",
            "/boot/f/a%2Fb/kernel",
            "/boot/f/a.b/kernel",
            "/boot/text/%zz",
            "/boot/text/%+1",
            "/boot/text/%ff",
            "/boot/text/",
            "/boot/text/a/b",
            &long,
            &longer,
        ] {
            assert_eq!(read(target), Route::Nothing, "{target}");
        }
    }
}
