//! A secret that is asked for at a terminal is not shown, and the terminal is as before in the end.

use std::os::unix::process::ExitStatusExt as _;

use crate::harness::Terminal;

const REGISTER: [&str; 7] =
    ["appliance", "register", "x", "--type=redfish", "--url=redfish://10.1.0.7", "--username=root", "--ask-password"];

/// Starts a command that asks for a password, and waits until it does.
async fn asked() -> Terminal {
    let terminal = Terminal::start(&REGISTER);
    terminal.shows("password of \"x\": ").await;
    assert!(!terminal.is_usual(), "what is typed would be shown");
    terminal
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_at_the_terminal_is_not_shown() {
    let mut terminal = asked().await;
    terminal.type_in("hunter\x7fr2\nother2\n");
    terminal.shows("the two inputs differ").await;
    assert_eq!(terminal.ended().await.code(), Some(2), "{}", terminal.screen());
    assert!(terminal.is_usual() && !terminal.screen().contains("hunte"), "{}", terminal.screen());

    // Keys edit the line as usual: these are equal, so that the command goes on to the server, which is not there.
    let mut terminal = asked().await;
    terminal.type_in("huntex\x7fr2\nwrong\x15hunter2\n");
    let ended = terminal.ended().await;
    let screen = terminal.screen();
    assert!(ended.code().is_some_and(|code| code != 0) && !screen.contains("differ"), "{ended}: {screen}");
    assert!(terminal.is_usual() && !screen.contains("hunte"), "{screen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_at_a_secret_leaves_a_terminal_that_shows_what_is_typed() {
    for (first, prompt) in [("", "password of \"x\": "), ("hunter2\n", "again: ")] {
        let mut terminal = asked().await;
        terminal.type_in(first);
        // The terminal throws away what was typed before Ctrl-C and not read yet.
        terminal.shows(prompt).await;
        terminal.type_in("hunt\x03");
        let ended = terminal.ended().await;
        assert_eq!(ended.signal(), Some(libc::SIGINT), "{ended}: {}", terminal.screen());
        assert!(terminal.is_usual(), "{prompt:?} leaves the terminal without echo");
        assert!(terminal.screen().contains(prompt) && !terminal.screen().contains("hunt"), "{}", terminal.screen());
    }
}
