//! The driver with a `virsh` that lies, hangs, prints too much and ends early.

use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;
use underlay_address::Exceptions;
use underlay_testing::until;

use super::*;
use crate::machine::Secret;

/// A `virsh` of the tests, in a folder of its own.
pub struct Fake {
    folder: TempDir,
}

impl Fake {
    /// Returns one that does what a part of a shell script says. It finds the state of a domain in the file `info`, and its
    /// definition in `xml`.
    pub fn new(answers: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // The script is not written here, because a program that is being written cannot be run.
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/libvirt/tests/virsh.sh");
        symlink(script, folder.path().join("virsh")).expect("a link");
        let fake = Self { folder };
        fake.write("answers", answers);
        fake.write("info", &info("7", "yes", "no"));
        fake.write("xml", &definition("", ""));
        fake.write("calls", "");
        fake
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    /// Returns the id of the process that the script has started, once it has written that down.
    fn child(&self) -> Option<String> {
        let id = std::fs::read_to_string(self.path("child")).ok()?.trim().to_owned();
        (!id.is_empty()).then_some(id)
    }

    pub fn driver(&self) -> Libvirt {
        let program = self.path("virsh").display().to_string();
        Libvirt { program, limits: PATIENT, ..Libvirt::new(Exceptions::default()) }
    }

    /// Returns the changes that were asked for.
    fn changes(&self) -> Vec<String> {
        let is_read = |line: &&str| ["dominfo", "dumpxml", "list"].iter().any(|word| line.starts_with(word));
        self.read("calls").lines().filter(|line| !is_read(line)).map(str::to_owned).collect()
    }
}

fn info(id: &str, persistent: &str, saved: &str) -> String {
    format!(
        "Id:             {id}\nUUID:           {DOMAIN}\nState:          running\nPersistent:     {persistent}\nManaged save:   \
         {saved}\n\n"
    )
}

/// Answers reads, and accepts all changes.
const WORKS: &str = r#"case "$1" in
  dominfo\ *) cat info xml ;;
  dominfo) cat info ;;
  dumpxml*) cat xml ;;
  list) echo 6695eb01-f6a4-8304-79aa-97f2502e193f; echo ;;
  create) cat >created ;;
esac
"#;
const NOTE: &str = "<underlay:boot xmlns:underlay='urn:underlay:boot' once='network'/>";

fn target() -> Target {
    Target { url: format!("libvirt+tcp://10.0.0.7/system#{DOMAIN}"), ..Target::default() }
}

fn appliance() -> Target {
    Target { url: "libvirt+tcp://10.0.0.7/system".to_owned(), ..Target::default() }
}

#[tokio::test]
async fn a_domain_is_listed_named_and_looked_at() {
    let fake = Fake::new(WORKS);
    let driver = fake.driver();
    let found = driver.enumerate(&appliance()).await.expect("domains");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name.as_str(), &found[0].url), ("web & co", &target().url));
    assert_eq!(found[0].boot_mac.as_deref(), Some("52:54:00:00:00:0b"));
    let identity = driver.identify(&target()).await.expect("names");
    assert_eq!((identity.uuid.as_deref(), identity.serial.as_deref()), (Some(DOMAIN), Some("CZJ1")));
    assert_eq!(driver.enumerate(&target()).await.expect("the one of the address"), found);
    assert_eq!(driver.power(&target()).await, Ok(Power::On));
    fake.write("info", &info("-", "yes", "no"));
    assert_eq!(driver.power(&target()).await, Ok(Power::Off));
    assert!(fake.changes().is_empty());
}

#[tokio::test]
async fn a_program_gets_three_variables_and_no_argument_of_the_inventory() {
    let fake = Fake::new(&format!("env >variables; echo \"$options $uri\" >connection\n{WORKS}"));
    let secret =
        Secret { username: "--eval".to_owned(), password: "calvin-1234".to_owned(), key: None, ..Secret::default() };
    fake.driver().power(&Target { secret: Some(secret), ..target() }).await.expect("the power");
    for line in fake.read("variables").lines() {
        let (name, value) = line.split_once('=').expect("a variable");
        let own = ["PWD", "OLDPWD", "SHLVL", "_"];
        assert!(own.contains(&name) || ["HOME", "PATH", "SSH_AUTH_SOCK", "LC_ALL"].contains(&name), "{name}");
        assert!(!value.contains("1234"), "{name}");
    }
    let connection = fake.read("connection");
    assert!(connection.starts_with("-q -c qemu+tcp://10.0.0.7/system?authfile=/"), "{connection}");
    assert!(!connection.contains("1234") && !connection.contains("eval"), "{connection}");
    assert_eq!(fake.read("calls"), format!("dominfo {DOMAIN}\n"));
}

#[tokio::test]
async fn power_is_changed_after_a_look() {
    for (id, act, changes) in [
        ("-", PowerAct::On, "start"),
        ("7", PowerAct::On, ""),
        ("7", PowerAct::Off, "shutdown"),
        ("-", PowerAct::Off, ""),
        ("7", PowerAct::ForceOff, "destroy"),
        ("7", PowerAct::Cycle, "destroy start"),
        ("-", PowerAct::Cycle, "start"),
    ] {
        let fake = Fake::new(WORKS);
        fake.write("info", &info(id, "yes", "no"));
        fake.driver().set_power(&target(), act).await.expect("it is made");
        let expected: Vec<String> = changes.split_whitespace().map(|word| format!("{word} {DOMAIN}")).collect();
        assert_eq!(fake.changes(), expected, "{id} {act:?}");
    }
}

#[tokio::test]
async fn a_boot_from_the_network_is_a_note_and_then_another_order_for_one_start() {
    let fake = Fake::new(WORKS);
    fake.driver().set_boot(&target(), BootDevice::Network).await.expect("it is noted");
    let set = format!("metadata {DOMAIN} urn:underlay:boot --config --key underlay --set <boot once=\"network\"/>");
    assert_eq!(fake.changes(), [set.as_str()]);
    fake.write("xml", &definition("<boot dev='hd'/>", NOTE));
    fake.driver().set_power(&target(), PowerAct::Cycle).await.expect("it boots");
    let remove = format!("metadata {DOMAIN} urn:underlay:boot --config --remove");
    assert_eq!(fake.changes()[1..], [format!("destroy {DOMAIN}"), remove, "create /dev/stdin".to_owned()]);
    let secure = format!("dumpxml --inactive --security-info {DOMAIN}");
    assert!(fake.read("calls").contains(&secure), "the passwords of consoles are kept");
    let created = fake.read("created");
    assert!(created.contains("<boot order=\"1\"/><mac address='52:54:00:00:00:0b'/>"), "{created}");
    assert!(created.contains("passwd='s3cret'") && !created.contains("urn:underlay:boot"), "{created}");
}

#[tokio::test]
async fn a_domain_that_would_be_lost_or_go_on_from_its_memory_is_left_alone() {
    let fake = Fake::new(WORKS);
    fake.write("info", &info("7", "no", "no"));
    let driver = fake.driver();
    for act in [PowerAct::Off, PowerAct::ForceOff, PowerAct::Cycle] {
        let error = text_of(&driver.set_power(&target(), act).await.unwrap_err());
        assert!(error.starts_with("PowerRefused: ") && error.contains("is transient and would be lost"), "{error}");
    }
    let error = text_of(&driver.set_boot(&target(), BootDevice::Network).await.unwrap_err());
    assert!(error.starts_with("BootRefused: ") && error.contains("is transient"), "{error}");
    fake.write("info", &info("-", "yes", "yes"));
    fake.write("xml", &definition("", NOTE));
    let error = text_of(&driver.set_power(&target(), PowerAct::On).await.unwrap_err());
    assert!(error.starts_with("BootRefused: ") && error.contains("managedsave-remove"), "{error}");
    let elsewhere = Target { boot_mac: Some("52:54:00:ff:ff:ff".to_owned()), ..target() };
    let error = text_of(&driver.set_boot(&elsewhere, BootDevice::Network).await.unwrap_err());
    assert!(error.starts_with("BootRefused: ") && error.contains("52:54:00:ff:ff:ff of bootMac"), "{error}");
    assert!(fake.changes().is_empty(), "{:?}", fake.changes());
}

#[tokio::test]
async fn garbage_and_half_answers_are_sentences_and_nothing_is_changed() {
    let half = "head -c 300 xml";
    for (answers, sentence) in [
        ("echo garbage", "has no line \"Id\""),
        ("true", "has no line \"Id\""),
        ("echo 'Id: 7'; echo 'UUID: 1'; echo 'Persistent: yes'", "has no line \"UUID\""),
        (&format!("cat info; {half}"), "the XML of the domain cannot be read"),
        ("cat info; echo '<network/>'", "the XML of the domain cannot be read"),
        ("head -c 40 info; cat xml", "has no line"),
        ("cat info xml; exit 1", "it printed no error"),
        ("kill -9 $$", "it printed no error"),
        ("printf '\\377\\376\\000'", "has no line \"Id\""),
    ] {
        let fake = Fake::new(answers);
        let error = text_of(&fake.driver().set_power(&target(), PowerAct::ForceOff).await.unwrap_err());
        assert!(error.starts_with("not made: ") && error.contains(sentence), "{answers}: {error}");
        assert_eq!(fake.read("calls").lines().count(), 1, "{answers}");
    }
    for (answers, sentence) in [
        ("echo garbage", "its answer has no UUID"),
        (&WORKS.replace("cat xml", "true"), "its answer lacks the domain"),
        (&WORKS.replace("cat xml", half), "the XML of the domain cannot be read"),
        ("echo \"error: failed to connect to the hypervisor\" >&2; exit 1", "failed to connect"),
        ("seq 1100 | while read n; do printf '6695eb01-f6a4-8304-79aa-%012d\\n' $n; done", "more than 1000 domains"),
    ] {
        let fake = Fake::new(answers);
        let error = text_of(&fake.driver().enumerate(&appliance()).await.unwrap_err());
        assert!(error.contains(sentence), "{answers}: {error}");
    }
    let gone = "echo \"error: failed to get domain '6695eb01-f6a4-8304-79aa-97f2502e193f'\" >&2; exit 1";
    let fake = Fake::new(&WORKS.replace("cat xml", gone));
    assert_eq!(fake.driver().enumerate(&appliance()).await, Ok(Vec::new()), "it was deleted meanwhile");
}

#[tokio::test]
async fn a_change_without_an_answer_is_not_repeated_and_one_that_was_not_sent_can_be() {
    let say = |words: &str| format!("{WORKS}case \"$1\" in destroy) printf '{words}' >&2; exit 1 ;; esac");
    let lost = "error: Failed to destroy domain\\nerror: End of file while reading data: Input/output error\\n";
    let connecting = "error: failed to connect to the hypervisor\\nerror: unable to connect: Connection refused\\n";
    let refuses = "error: Failed to destroy domain\\nerror: internal error: no\\n";
    for (words, kind) in [
        (lost, "unanswered: "),
        ("", "unanswered: "),
        (connecting, "not made: "),
        ("error: Failed\\nerror: Requested operation is not valid: domain is not running\\n", "not made: "),
        (refuses, "PowerRefused: "),
    ] {
        let fake = Fake::new(&say(words));
        let error = text_of(&fake.driver().set_power(&target(), PowerAct::ForceOff).await.unwrap_err());
        assert!(error.starts_with(kind), "{words}: {error}");
        assert_eq!(fake.changes().len(), 1, "{words}");
    }
    // The first part of a cycle was made, so it must not be made again.
    let fake = Fake::new(&say(connecting).replace("destroy)", "start)"));
    let error = text_of(&fake.driver().set_power(&target(), PowerAct::Cycle).await.unwrap_err());
    assert!(error.starts_with("unanswered: ") && error.contains("a part of the change was made before"), "{error}");
}

#[tokio::test]
async fn a_start_that_is_refused_leaves_the_note_as_it_was() {
    let refuses = "create) echo 'error: Failed to create domain' >&2; echo 'error: internal error: no' >&2; exit 1 ;;";
    let fake = Fake::new(&WORKS.replace("create) cat >created ;;", refuses));
    fake.write("info", &info("-", "yes", "no"));
    fake.write("xml", &definition("", NOTE));
    let error = text_of(&fake.driver().set_power(&target(), PowerAct::On).await.unwrap_err());
    assert!(error.starts_with("PowerRefused: ") && error.contains("internal error: no"), "{error}");
    let changes = fake.changes();
    assert_eq!(changes.len(), 3, "{changes:?}");
    assert!(changes[2].ends_with("--set <boot once=\"network\"/>"), "{changes:?}");
}

#[tokio::test]
async fn a_program_that_hangs_is_killed_with_its_children() {
    let hangs = "sleep 1000 & echo $! >child; wait";
    // On a slow machine the program needs longer before it hangs.
    let mut limit = Duration::from_secs(1);
    let reads = Fake::new(hangs);
    let error = until("a look hangs", async || {
        let limits = Limits { look: limit, ..PATIENT };
        limit *= 2;
        let error = Libvirt { limits, ..reads.driver() }.power(&target()).await.unwrap_err();
        reads.child().map(|_| text_of(&error))
    })
    .await;
    assert!(error.starts_with("not made: ") && error.ends_with("was killed"), "{error}");
    let changes = Fake::new(&format!("{WORKS}case \"$1\" in destroy) {hangs} ;; esac"));
    let error = until("a change hangs", async || {
        let limits = Limits { change: limit, ..PATIENT };
        limit *= 2;
        let error = Libvirt { limits, ..changes.driver() }.set_power(&target(), PowerAct::ForceOff).await.unwrap_err();
        changes.child().map(|_| text_of(&error))
    })
    .await;
    assert!(error.starts_with("unanswered: ") && error.contains("was killed; nobody knows"), "{error}");
    for fake in [reads, changes] {
        ended(&fake.child().expect("a child")).await;
    }
}

/// Waits until a process has ended.
async fn ended(process: &str) {
    until("the child of the program has ended", async || {
        let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // A process that was killed can wait for somebody who asks how it ended.
        state.is_empty() || state.contains(") Z ")
    })
    .await;
}

#[tokio::test]
async fn a_huge_output_is_cut() {
    let fake = Fake::new("yes garbage");
    let error = text_of(&fake.driver().power(&target()).await.unwrap_err());
    assert!(error.starts_with("not made: ") && error.contains("it printed more than 16 MiB"), "{error}");
    let fake = Fake::new("yes 'error: no' | head -c 1000000 >&2; exit 1");
    let error = text_of(&fake.driver().power(&target()).await.unwrap_err());
    assert!(error.len() < 5_000, "{}", error.len());
}

#[tokio::test]
async fn a_wrong_certificate_and_a_missing_program_are_named() {
    let refuse = |words: &str| {
        let words = format!("error: failed to connect to the hypervisor\\nerror: {words}\\n");
        Fake::new(&format!("printf \"{words}\" >&2; exit 1"))
    };
    for (words, word, advice) in [
        ("authentication failed: Failed to verify peer's certificate", "WrongCertificate", "bmcTrustedCas"),
        ("Cannot recv data: Host key verification failed.", "WrongHostKey", "known_hosts"),
        ("authentication failed: authentication failed", "WrongCredential", "may manage domains"),
        ("no connection driver available for qemu:///system", "WrongAddress", "install QEMU"),
    ] {
        let error = text_of(&refuse(words).driver().set_power(&target(), PowerAct::On).await.unwrap_err());
        assert!(error.starts_with(word) && error.contains(advice), "{words}: {error}");
    }
    let driver = Libvirt { program: "/nowhere/virsh".to_owned(), ..Fake::new("").driver() };
    let error = text_of(&driver.set_power(&target(), PowerAct::On).await.unwrap_err());
    assert!(error.starts_with("not made: libvirt+tcp://10.0.0.7/system") && error.contains("install virsh"), "{error}");
}
