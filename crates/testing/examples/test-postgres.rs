//! Runs one PostgreSQL server for many test processes: prints its URL, and runs until the standard input ends.

use std::io;

use underlay_testing::postgres::Postgres;

fn main() -> io::Result<()> {
    let server = Postgres::start();
    println!("{}", server.server_url());
    // Whoever started this program closes its input, also by ending in any way.
    io::copy(&mut io::stdin(), &mut io::sink())?;
    drop(server);
    Ok(())
}
