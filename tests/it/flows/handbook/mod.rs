//! The README and the handbook, followed to the letter by a newcomer: the commands run in their order, in one folder, and
//! print what stands below them.
//!
//! What differs from machine to machine is made the same first: the addresses of the servers, the name of the user, ids,
//! cursors, times and numbers of processes. A line `...` stands for lines that are left out.

mod page;
mod same;
mod tour;

use page::Page;
use tour::Tour;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs bash, curl, jq and dot"]
async fn the_readme_and_the_pages_that_continue_it_print_what_they_show() {
    let tour = Tour::of_the_demo(&[]).await;
    // What needs the sources, a PostgreSQL server or the machines of a demo with hosts.
    let readme = ["Two commands", "Hosts", "PostgreSQL", "Performance"].into_iter();
    let readme = readme.fold(Page::read("README.md"), Page::without);

    let mut problems = Vec::new();
    for page in [readme, Page::read("docs/command-line.md"), Page::read("docs/api.md")] {
        problems.extend(tour.follow(&page).await);
    }
    assert!(problems.is_empty(), "{} differences:\n{}", problems.len(), problems.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs bash, curl, jq and dot"]
async fn the_commands_for_hosts_run_on_simulated_machines() {
    let tour = Tour::of_the_demo(&["--with", "hosts,agents"]).await;

    let problems = tour.follow(&Page::read("README.md").only("Hosts")).await;
    assert!(problems.is_empty(), "{} differences:\n{}", problems.len(), problems.join("\n"));
}
