//! The language of GRUB: quotes, and the way to the disk.
//!
//! Only what GRUB 2.06 and later has is used. Its language has no `&&` and no `||`, a command that fails does not stop a
//! script, and `exit` ends in the menu of the firmware.

use crate::start::Unwritable;
use crate::visible;

/// The way to the disk. The loaders of installed systems come first, because installation media do not have them. The
/// loader for removable media comes last, and only if no installation medium is in the machine. A loader that does not
/// start is no end: the next one is tried.
macro_rules! disk {
    () => {
        r#"set loader=shimx64.efi
set plain=grubx64.efi
set removable=BOOTX64.EFI
if [ "$grub_cpu" = "arm64" ]; then
  set loader=shimaa64.efi
  set plain=grubaa64.efi
  set removable=BOOTAA64.EFI
fi
for file in /EFI/redhat/$loader /EFI/fedora/$loader /EFI/centos/$loader /EFI/rocky/$loader /EFI/almalinux/$loader /EFI/debian/$loader /EFI/ubuntu/$loader /EFI/opensuse/shim.efi /EFI/sles/shim.efi /EFI/debian/$plain /EFI/ubuntu/$plain /EFI/Microsoft/Boot/bootmgfw.efi; do
  if search --no-floppy --set=root --file $file; then
    if chainloader $file; then
      boot
    fi
  fi
done
set medium=
for file in /.discinfo /.disk/info /images/install.img /sources/boot.wim; do
  if search --no-floppy --set=medium --file $file; then
    set medium=yes
  fi
done
if [ "$medium" = "yes" ]; then
  echo "boot server: there is an installation medium in this machine"
else
  if search --no-floppy --set=root --file /EFI/BOOT/$removable; then
    if chainloader /EFI/BOOT/$removable; then
      boot
    fi
  fi
fi
echo "boot server: no disk with a loader was found"
sleep 30
reboot
"#
    };
}

pub(crate) use disk;

/// The way to the disk.
pub(crate) const DISK: &str = disk!();

/// Returns a word in single quotes, in which nothing has a meaning.
pub(crate) fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the command that shows a reason.
pub(crate) fn echo(reason: &str) -> String {
    format!("echo {}\n", word(&format!("boot server: {}", visible(reason))))
}

/// Returns the name that GRUB gives to the file of a URL, as a word.
pub(crate) fn file(url: &str) -> Result<String, Unwritable> {
    let refused = |reason| Unwritable::Url { url: url.to_owned(), reason };
    let rest = url.strip_prefix("http://").ok_or_else(|| refused("GRUB fetches http:// alone"))?;
    let (server, path) = rest.split_once('/').ok_or_else(|| refused("it has no path"))?;
    let is_server = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    if server.is_empty() || !server.bytes().all(is_server) {
        return Err(refused("its host is none"));
    }
    if !path.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(refused("it has other characters than those of a URL"));
    }
    Ok(word(&format!("(http,{server})/{path}")))
}
