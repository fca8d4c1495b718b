//! The example `test-postgres`.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use underlay_testing::until;

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn the_server_runs_until_the_input_ends() {
    // Test programs are in a folder beside that of the examples.
    let deps = env::current_exe().expect("this program");
    let target = deps.ancestors().nth(2).expect("the target folder");
    let mut command = Command::new(target.join("examples/test-postgres"));
    let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut url = String::new();
    BufReader::new(program.stdout.take().expect("its output")).read_line(&mut url).expect("its URL");
    let address = url.trim().strip_prefix("postgres://postgres@").expect("a URL").to_owned();
    TcpStream::connect(&address).expect("the server runs");

    drop(program.stdin.take());
    until("the program ends", async || program.try_wait().expect("its state")).await;
    assert!(TcpStream::connect(&address).is_err(), "the server has ended too");
}
