//! Where controllers of hosts keep their state: each server has a file of its own.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The most characters of what a file is named after. They are for people; the digest tells files apart.
const MAX_NAME_CHARACTERS: usize = 60;

/// Returns the platform's folder for the state of controllers of hosts, if there is a home directory. It is apart from the
/// platform's data directory, so that the state is not rolled back together with the database.
pub fn usual_folder() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "underlay")?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).join("hosts"))
}

/// Returns the state file in a folder for a server, which is named after its data directory, the URL of its database, or
/// its own URL.
pub fn state_file(folder: &Path, server: &str) -> PathBuf {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
    let plain: String = server.chars().map(plain).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    let start = name.len().saturating_sub(MAX_NAME_CHARACTERS);
    let digest = Sha256::digest(server);
    let digest: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    folder.join(format!("{}-{digest}.json", &name[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_has_a_file_of_its_own_with_a_name_that_people_recognize() {
        let name = |server: &str| state_file(Path::new("/s"), server).display().to_string();
        assert_eq!(name("/var/lib/underlay"), "/s/var-lib-underlay-e38178b3d590.json");
        let long = name(&format!("https://{}example.com:8080", "a.".repeat(200)));
        assert!(long.len() < 100 && long.contains("example.com-8080-"), "{long}");
        let names = ["http://a:8080", "https://a:8080", "/a/b", "/a-b", "", "ä"].map(name);
        for (at, one) in names.iter().enumerate() {
            assert!(!names[..at].contains(one), "{one}");
        }
    }
}
