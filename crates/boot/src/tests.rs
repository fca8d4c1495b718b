//! The texts, as simulated programs read them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use underlay_firmware::grub::{Statement, parse};
use underlay_firmware::ipxe::{commands, expand};

use super::*;

/// The commands of a text of GRUB, with all conditions and bodies, and their words with these variables.
fn grub_commands(text: &str) -> Vec<Vec<String>> {
    fn collect(statements: &[Statement], found: &mut Vec<Vec<String>>) {
        for statement in statements {
            match statement {
                Statement::Command(words) => {
                    let mut expanded = Vec::new();
                    words.iter().for_each(|word| word.expand(|name| format!("<{name}>"), &mut expanded));
                    found.push(expanded);
                }
                Statement::If { branches, otherwise } => {
                    for branch in branches {
                        collect(&branch.condition, found);
                        collect(&branch.body, found);
                    }
                    collect(otherwise, found);
                }
                Statement::For { body, .. } => collect(body, found),
            }
        }
    }

    let mut found = Vec::new();
    collect(&parse(text).unwrap_or_else(|error| panic!("{error:?}: {text}")), &mut found);
    found
}

/// The commands of a text of iPXE, with their words after the settings of the text were replaced.
fn ipxe_commands(text: &str) -> Vec<Vec<String>> {
    assert!(text.starts_with("#!ipxe\n"), "{text}");
    let mut settings: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with(':')) {
        assert!(!line.ends_with('\\'), "the line goes on: {line}");
        for command in commands(line).into_iter().filter(|command| !command.words.is_empty()) {
            let value = |name: &str| settings.get(name).cloned().unwrap_or_default();
            let words = command.words.iter().map(|word| expand(word, value));
            let words: Vec<String> = words.map(|word| String::from_utf8(word).expect("UTF-8")).collect();
            if let [set, name, hex] = words.as_slice()
                && set == "set"
                && let Some(name) = name.strip_suffix(":hex")
            {
                let byte = u8::from_str_radix(hex, 16).expect("a byte");
                settings.insert(format!("{name}:string"), vec![byte]);
            }
            found.push(words);
        }
    }
    found
}

fn arguments_of<'a>(commands: &'a [Vec<String>], name: &str) -> Vec<&'a Vec<String>> {
    commands.iter().filter(|words| words.first().is_some_and(|first| first == name)).collect()
}

/// Splits the command line of a kernel as Linux does: at spaces outside of double quotes.
fn linux_arguments(line: &str) -> Vec<String> {
    let (mut found, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => found.push(std::mem::take(&mut word)),
            letter => word.push(letter),
        }
    }
    found.push(word);
    found.retain(|word| !word.is_empty());
    found
}

/// The command line that GRUB makes of words: it escapes quotes, and puts words with spaces in quotes.
fn grub_line(words: &[String]) -> String {
    let written = words.iter().map(|word| {
        assert!(!word.contains(['\\', '\'', '"']), "GRUB changes {word}");
        if word.contains(' ') { format!("\"{word}\"") } else { word.clone() }
    });
    written.collect::<Vec<_>>().join(" ")
}

fn an_argument() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof![4 => proptest::char::range(' ', '~'), 1 => any::<char>()], 0..20)
        .prop_map(|letters| letters.into_iter().collect())
}

proptest! {
    #[test]
    fn the_kernel_gets_the_arguments_that_were_given(arguments in proptest::collection::vec(an_argument(), 0..6), reason in an_argument()) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).filter(|it| check_argument(it).is_ok()).collect();
        let (kernel, initrd) = ("http://10.0.0.1:8090/boot/f/T/kernel", "http://10.0.0.1:8090/boot/f/T/initrd");
        let it = Start { kernel_url: kernel, initrd_url: Some(initrd), arguments: &arguments, reason: &reason };

        let found = grub_commands(&start(Program::Grub, &it).expect("a text"));
        let linux = arguments_of(&found, "linux");
        prop_assert_eq!(linux.len(), 1);
        prop_assert_eq!(&linux[0][1], "(http,10.0.0.1:8090)/boot/f/T/kernel");
        prop_assert_eq!(&linux[0][2..], &arguments[..]);
        prop_assert_eq!(linux_arguments(&grub_line(&linux[0][2..])), arguments.clone());

        let found = ipxe_commands(&start(Program::Ipxe, &it).expect("a text"));
        let kernels = arguments_of(&found, "kernel");
        prop_assert_eq!(kernels.len(), 1);
        prop_assert_eq!(&kernels[0][..5], &["kernel", "--name", "kernel", kernel, "initrd=initrd"].map(str::to_owned)[..]);
        prop_assert_eq!(linux_arguments(&kernels[0][5..].join(" ")), arguments);
    }

    /// Whatever a reason contains, the text has the same commands as with another one.
    #[test]
    fn a_reason_is_only_shown(reason in an_argument()) {
        let names = |found: Vec<Vec<String>>| -> Vec<String> {
            found.into_iter().filter_map(|words| words.into_iter().next()).filter(|name| name != "set").collect()
        };
        prop_assert_eq!(names(grub_commands(&local(Program::Grub, &reason))), names(grub_commands(&local(Program::Grub, "x"))));
        prop_assert_eq!(names(ipxe_commands(&local(Program::Ipxe, &reason))), names(ipxe_commands(&local(Program::Ipxe, "x"))));
        let found = grub_commands(&local(Program::Grub, &reason));
        prop_assert_eq!(&found[0], &["echo".to_owned(), format!("boot server: {}", visible(&reason))][..]);
        for installer in [Installer::Shell, Installer::Kickstart] {
            let (one, other) = (refusal(installer, &reason), refusal(installer, "x"));
            prop_assert_eq!(one.lines().count(), other.lines().count());
        }
    }
}

#[test]
fn arguments_that_loaders_change_are_refused() {
    let cases = [
        ("", "no visible character"),
        (" ", "no visible character"),
        ("a\nb", "control characters"),
        ("a\u{202e}b", "control characters"),
        ("a\u{a0}b", "a space of another kind"),
        ("a\"b", "a quote"),
        ("a'b", "a quote"),
        (r"a\x20init=/bin/sh", "a backslash"),
        ("a=${net0/mac}", "iPXE replaces"),
    ];
    for (argument, reason) in cases {
        let error = check_argument(argument).expect_err(argument).to_string();
        assert!(error.contains(reason), "{argument:?}: {error}");
    }
    for argument in ["quiet", "ds=nocloud;s=http://a/b/", "a=b c", "a=$b", "a&&b", "&&", "||", "#x", ";", "ä=ö", "a{b}"]
    {
        assert_eq!(check_argument(argument), Ok(()), "{argument}");
    }
}

#[test]
fn what_no_program_can_fetch_is_refused() {
    let it = |kernel_url, arguments| Start { kernel_url, initrd_url: None, arguments, reason: "x" };
    for url in ["https://a/k", "ftp://a/k", "http://a", "http:///k", "http://a)/k", "http://u@a/k", "http://a/k k", "k"]
    {
        assert!(matches!(start(Program::Grub, &it(url, &[])), Err(Unwritable::Url { .. })), "{url}");
    }
    for url in ["ftp://a/k", "http://a/k k", "http://a/${x}", "http://a/\n", "k"] {
        assert!(matches!(start(Program::Ipxe, &it(url, &[])), Err(Unwritable::Url { .. })), "{url}");
    }
    assert!(start(Program::Ipxe, &it("https://a/k", &[])).is_ok());
    let long = "a".repeat(MAX_LINE_BYTES);
    for program in [Program::Grub, Program::Ipxe] {
        let it = Start { kernel_url: "http://a/k", initrd_url: None, arguments: &[&long], reason: "x" };
        let found = start(program, &it);
        assert!(matches!(found, Err(Unwritable::Line { bytes }) if bytes == MAX_LINE_BYTES + 3), "{found:?}");
    }
}

#[test]
fn texts_of_grub_use_nothing_that_ends_in_the_menu_of_the_firmware() {
    let it =
        Start { kernel_url: "http://a/k", initrd_url: Some("http://a/i"), arguments: &["x=$y"], reason: "it's due" };
    for text in [grub_entry().to_owned(), local(Program::Grub, "it's due"), start(Program::Grub, &it).expect("a text")]
    {
        let found = grub_commands(&text);
        for never in ["exit", "normal_exit", "halt", "insmod", "source"] {
            assert!(arguments_of(&found, never).is_empty(), "{never}: {text}");
        }
        assert_eq!(found.last(), Some(&vec!["reboot".to_owned()]), "{text}");
        assert!(!arguments_of(&found, "chainloader").is_empty(), "{text}");
    }
}

#[test]
fn texts_of_ipxe_end_at_the_disk() {
    let it = Start { kernel_url: "http://a/k", initrd_url: Some("http://a/i"), arguments: &["quiet"], reason: "due" };
    let entry = ipxe_entry("http://10.0.0.1:8090");
    for text in [&entry, &local(Program::Ipxe, "due"), &start(Program::Ipxe, &it).expect("a text")] {
        let end = ":disk\niseq ${platform} efi && goto firmware ||\nsanboot --no-describe --drive 0x80 ||\n:firmware\nexit 1\n";
        assert!(text.ends_with(end), "{text}");
        for line in text
            .lines()
            .filter(|line| ["chain", "kernel", "initrd", "boot"].iter().any(|it| line.split(' ').next() == Some(it)))
        {
            assert!(line.ends_with("|| goto disk"), "{line}");
        }
    }
    let asks = "/boot/ipxe?m=${macs}&s=${serial:uristring}&u=${uuid}&b=${board-serial:uristring}";
    assert!(entry.contains(&format!("chain --timeout 20000 http://10.0.0.1:8090{asks} || goto disk")), "{entry}");
}
