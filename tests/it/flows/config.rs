//! The configuration of the server: the sources of its values, and their precedence.

use crate::harness::{Cli, scratch};

#[tokio::test]
async fn the_default_file_is_read_and_the_effective_configuration_is_shown() {
    let folder = scratch::folder("config");
    let home = folder.path().join("home");
    let file = home.join(".config/underlay/underlay.toml");
    std::fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
    std::fs::write(&file, "listen = \"127.0.0.1:81\"\ndatabase = \"postgres://u:secret@h/db\"\n").expect("a file");
    let run = |arguments: &[&str]| {
        let cli = Cli::new([&["config"][..], arguments].concat()).env("HOME", &home);
        cli.env("XDG_CONFIG_HOME", home.join(".config")).env("XDG_DATA_HOME", "/data")
    };
    let usual = run(&[]).await;
    assert_eq!((usual.code, usual.stderr.as_str()), (0, ""), "{usual:?}");
    let expected = format!(
        "listen = \"127.0.0.1:81\"                # {file}\n\
         dataDir = \"/data/underlay\"              # default\n\
         database = \"postgres://u:***@h/db\"      # {file}\n\
         feed.retention = \"400d\"                # default\n",
        file = file.display()
    );
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(squeezed(&usual.stdout).starts_with(&squeezed(&expected)), "{usual:?}");
    assert!(squeezed(&usual.stdout).contains("limits.depth = \"16\" # default"), "{usual:?}");

    let won = run(&["--listen", "127.0.0.1:83"]).env("UNDERLAY_LISTEN", "127.0.0.1:82").await;
    assert!(won.stdout.contains("listen = \"127.0.0.1:83\"") && won.stdout.contains("# flag --listen"), "{won:?}");
    let won = run(&[]).env("UNDERLAY_LISTEN", "127.0.0.1:82").await;
    assert!(won.stdout.contains("# variable UNDERLAY_LISTEN"), "{won:?}");
}

#[tokio::test]
async fn an_invalid_configuration_prevents_the_start() {
    let folder = scratch::folder("config");
    let file = folder.path().join("bad.toml");
    std::fs::write(&file, "lisen = \"127.0.0.1:0\"\n").expect("a file");
    let path = file.to_str().expect("a path");
    for command in ["serve", "config"] {
        let by_flag = Cli::new([command, "--config", path]).await;
        assert_eq!((by_flag.code, by_flag.stdout.as_str()), (2, ""), "{by_flag:?}");
        assert!(
            by_flag.stderr.contains(
                "there is no key \"lisen\"; allowed: listen, dataDir, database, feed.retention, feed.listenUrl, "
            ),
            "{by_flag:?}"
        );
        let by_variable = Cli::new([command]).env("UNDERLAY_CONFIG_FILE", path).await;
        assert_eq!(by_variable.stderr, by_flag.stderr);
        let unknown = Cli::new([command]).env("UNDERLAY_LISTN", "127.0.0.1:0").await;
        assert!(unknown.code == 2 && unknown.stderr.contains("there is no variable UNDERLAY_LISTN; "), "{unknown:?}");
    }
}

#[tokio::test]
async fn only_a_debug_build_shortens_its_times() {
    let folder = scratch::folder("times");
    let data = folder.path().to_str().expect("a path");
    // A release build refuses every value, as nothing may shorten what keeps machines safe.
    let (value, reason) = match cfg!(debug_assertions) {
        true => ("0", "must be a number from 1 to 100"),
        false => ("5", "a release build does not accept it"),
    };
    for arguments in [&["serve", "--listen", "127.0.0.1:0", "--data-dir", data][..], &["run", "hosts", "--state", data]]
    {
        let refused = Cli::new(arguments).env("UNDERLAY_TEST_TIMES", value).await;
        assert!(refused.code != 0 && refused.stderr.contains(reason), "{refused:?}");
    }
}
