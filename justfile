# Recipes for https://just.systems. Each is a task of .ci/task, which works without just and which .ci/run uses too.

# Lists the recipes.
default:
    @just --list

# Checks the format, the lints and the documentation.
check:
    .ci/task check

# Runs the tests that need nothing but Rust.
test:
    .ci/task test

# Runs all tests: PostgreSQL, Node, the emulators and cargo-nextest must be installed.
test-all:
    .ci/task test-all

# Runs the tests whose path contains `filter` twenty times, beside two busy loops.
stress filter:
    .ci/task stress {{filter}}

# Writes all anew that is made from the code and committed.
renew:
    .ci/task renew

# Writes schema.graphql anew.
schema:
    .ci/task schema

# Builds the console and tests it in Chromium, against target/debug/underlay.
console:
    .ci/task console

# Measures a server on an otherwise idle machine, and writes docs/performance.md.
bench:
    .ci/task bench

# Sees that measuring still works, on small fleets: all that `bench` does, or a part: soak, sources, hosts, lives or
# facts.
bench-quick part='':
    .ci/task bench-quick {{part}}

# Lives many random lives of hosts, in which no machine in use may be touched.
safety lives='10000':
    .ci/task safety {{lives}}

# Sees that the measurements of snapshots still work.
bench-snapshot:
    .ci/task bench-snapshot

# Builds the program that is shipped, as target/dist/underlay.
dist:
    .ci/task dist
