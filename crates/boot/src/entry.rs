//! The entries: the same text for all machines, with which a machine says what it is.

use crate::grub;
use crate::ipxe;

/// The number of interfaces whose addresses iPXE sends.
const IPXE_INTERFACES: usize = 8;

/// Returns the `grub.cfg` of all machines. It asks the server from which it came for
/// `/boot/grub/MAC/UUID/SERIAL/grub.cfg`, where `-` stands for a value that is empty or has unusual characters, and goes
/// to the disk without an answer.
#[must_use]
pub fn grub_entry() -> &'static str {
    concat!(
        r#"set timeout=0
set mac=-
set uuid=-
set serial=-
if regexp '^[0-9A-Za-z._:-]+$' "$net_default_mac"; then
  set mac="$net_default_mac"
fi
if smbios --type 1 --get-uuid 8 --set value; then
  if regexp '^[0-9A-Za-z._:-]+$' "$value"; then
    set uuid="$value"
  fi
fi
if smbios --type 1 --get-string 7 --set value; then
  if regexp '^[0-9A-Za-z._:-]+$' "$value"; then
    set serial="$value"
  fi
fi
configfile "(http,$net_default_server)/boot/grub/$mac/$uuid/$serial/grub.cfg"
echo "boot server: no answer"
"#,
        grub::disk!()
    )
}

/// Returns the `autoexec.ipxe` of all machines that boot by the server with a URL such as `http://10.0.0.1:8090`. It asks
/// for `/boot/ipxe` with the addresses of the interfaces (`m`), the serial number (`s`), the UUID (`u`) and the serial
/// number of the board (`b`), and goes to the disk without an answer.
#[must_use]
pub fn ipxe_entry(url: &str) -> String {
    let mut text = ipxe::Text::new();
    let url = text.word(url);
    text.line("isset ${ip} || dhcp || goto disk");
    text.line("set macs ${net0/mac:hexhyp}");
    for interface in 1..IPXE_INTERFACES {
        let mac = format!("${{net{interface}/mac:hexhyp}}");
        text.line(&format!("isset {mac} && set macs ${{macs}},{mac} ||"));
    }
    text.line(&format!(
        "chain --timeout 20000 {url}/boot/ipxe?m=${{macs}}&s=${{serial:uristring}}&u=${{uuid}}&b=${{board-serial:uristring}} || goto disk"
    ));
    text.line("echo boot server: no answer");
    text.disk();
    text.finish()
}
