//! Names that are made up for hosts that are written without a name: two words, such as `brave-otter`. And the short id
//! of a host.
//!
//! The words that a name is made of only ever get more: they are no data, because a name is stored once it is made.

use uuid::Uuid;

/// The number of names of two words that are tried before the short id is added.
const MAX_PLAIN_NAMES: u32 = 8;

/// The number of characters of an id in a short id.
const SHORT_ID_CHARACTERS: usize = 7;

/// Makes up a name for a host with an id. Each attempt gives another name.
pub fn made_up(id: Uuid, attempt: u32) -> String {
    let bits = mixed(id.as_u128() as u64 ^ u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let one = FIRST_WORDS[(bits >> 32) as usize % FIRST_WORDS.len()];
    let other = SECOND_WORDS[(bits & 0xffff_ffff) as usize % SECOND_WORDS.len()];
    match attempt < MAX_PLAIN_NAMES {
        true => format!("{one}-{other}"),
        false => format!("{one}-{other}-{}", characters(id)),
    }
}

/// Returns the short id of a host: `h-` and the last seven characters of its id, which are random.
pub fn short_id(id: Uuid) -> String {
    format!("h-{}", characters(id))
}

/// Returns the kind of reference that a name can be read as, other than an id; `None` if it is a name only.
pub fn reads_as(name: &str) -> Option<&'static str> {
    let is_hexadecimal = |text: &str| text.chars().all(|character| character.is_ascii_hexdigit());
    let lower = name.to_ascii_lowercase();
    if lower.strip_prefix("h-").is_some_and(|rest| rest.len() == SHORT_ID_CHARACTERS && is_hexadecimal(rest)) {
        Some("a short id")
    } else if lower.starts_with("host/") {
        Some("a reference to a host")
    } else {
        None
    }
}

fn characters(id: Uuid) -> String {
    let text = id.simple().to_string();
    text[text.len() - SHORT_ID_CHARACTERS..].to_owned()
}

/// Mixes the bits of a number (the finalizer of SplitMix64), so that ids that are alike give different words.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The first words.
const FIRST_WORDS: [&str; 246] = [
    "able", "agile", "airy", "alert", "amber", "ample", "apt", "arctic", "ashen", "autumn", "awake", "azure", "balmy",
    "basic", "bold", "brave", "breezy", "bright", "brisk", "broad", "bronze", "calm", "candid", "casual", "cheery",
    "chief", "chilly", "civil", "clean", "clear", "clever", "close", "cobalt", "cool", "copper", "coral", "cosmic",
    "cozy", "crimson", "crisp", "curly", "cyan", "dapper", "daring", "dawn", "deep", "deft", "dense", "direct", "dry",
    "dusty", "eager", "early", "earnest", "easy", "elder", "elegant", "emerald", "equal", "even", "exact", "fair",
    "famous", "fancy", "fast", "festive", "fine", "firm", "fleet", "fluent", "fond", "formal", "frank", "free",
    "fresh", "frosty", "full", "gallant", "gentle", "giant", "gifted", "glad", "gleaming", "glossy", "golden", "good",
    "grand", "granite", "great", "green", "hale", "handy", "happy", "hardy", "hazel", "hearty", "helpful", "high",
    "honest", "humble", "icy", "ideal", "indigo", "ivory", "jade", "jolly", "jovial", "joyful", "just", "keen", "kind",
    "large", "lasting", "latent", "lean", "level", "light", "lilac", "lime", "lively", "local", "lofty", "loyal",
    "lucid", "lucky", "lunar", "magenta", "major", "maple", "marble", "mellow", "merry", "mighty", "mild", "mint",
    "misty", "modern", "modest", "native", "neat", "nimble", "noble", "normal", "northern", "novel", "oaken", "olive",
    "open", "orange", "orderly", "outer", "pale", "patient", "pearly", "placid", "plain", "pleasant", "plucky",
    "polar", "polite", "primal", "prime", "proper", "proud", "prudent", "purple", "quaint", "quick", "quiet",
    "radiant", "rapid", "rare", "ready", "regal", "robust", "rosy", "round", "royal", "ruby", "rural", "rustic",
    "safe", "sage", "sandy", "scarlet", "serene", "shiny", "silent", "silver", "simple", "sleek", "slender", "slow",
    "smart", "smooth", "snowy", "social", "soft", "solar", "solid", "southern", "spare", "spry", "stable", "steady",
    "stellar", "still", "stoic", "stone", "strong", "sturdy", "subtle", "sunny", "super", "sure", "swift", "tall",
    "tawny", "teal", "thrifty", "tidy", "topaz", "tranquil", "true", "trusty", "upbeat", "upper", "urban", "useful",
    "valiant", "vast", "verbal", "vernal", "vivid", "warm", "western", "white", "whole", "wide", "wild", "wise",
    "witty", "wooden", "worthy", "young", "zesty",
];

/// The second words.
const SECOND_WORDS: [&str; 259] = [
    "acorn", "alder", "anchor", "antler", "apple", "arbor", "aspen", "aster", "badger", "bamboo", "banjo", "barley",
    "basil", "basin", "beacon", "beaver", "beech", "berry", "birch", "bison", "bloom", "bobcat", "boulder", "bramble",
    "breeze", "bridge", "brook", "buffalo", "bunny", "burrow", "cabin", "cactus", "camel", "canoe", "canyon", "cape",
    "cardinal", "caribou", "cedar", "cello", "cherry", "chestnut", "cliff", "cloud", "clover", "cobra", "comet",
    "condor", "coral", "cove", "coyote", "crane", "crater", "creek", "cricket", "crow", "curlew", "cypress", "daisy",
    "dale", "deer", "delta", "desert", "dingo", "dolphin", "dove", "drum", "duck", "dune", "eagle", "ebony", "echo",
    "elk", "elm", "ember", "falcon", "fern", "ferry", "fig", "finch", "fir", "fjord", "flint", "forest", "fossil",
    "fox", "gannet", "garden", "gazelle", "geyser", "ginger", "glacier", "glade", "goose", "gorge", "grape", "grove",
    "gull", "hamlet", "harbor", "hare", "harp", "hawk", "hazel", "heath", "hedge", "heron", "hill", "holly", "hornet",
    "ibex", "ibis", "inlet", "iris", "island", "ivy", "jackal", "jaguar", "jasmine", "jay", "juniper", "kelp",
    "kestrel", "kiwi", "koala", "lagoon", "lake", "lantern", "larch", "lark", "laurel", "lemon", "lemur", "leopard",
    "lichen", "lily", "lion", "llama", "lobster", "lotus", "lynx", "magpie", "maple", "marble", "marlin", "marmot",
    "marsh", "marten", "meadow", "melon", "merlin", "mesa", "meteor", "mill", "mink", "mole", "moose", "moss", "moth",
    "mulberry", "narwhal", "nectar", "newt", "nutmeg", "oak", "oasis", "ocean", "ocelot", "olive", "onyx", "opal",
    "orca", "orchard", "orchid", "oriole", "osprey", "otter", "owl", "oyster", "palm", "panda", "panther", "parrot",
    "peach", "pear", "pebble", "pelican", "penguin", "peony", "pepper", "petrel", "pigeon", "pike", "pine", "plover",
    "plum", "pond", "poplar", "poppy", "prairie", "puffin", "puma", "quail", "quartz", "quince", "rabbit", "raccoon",
    "raven", "reed", "reef", "ridge", "river", "robin", "rook", "rose", "rowan", "saffron", "sage", "salmon", "seal",
    "sequoia", "shore", "shrike", "sparrow", "spruce", "squid", "stork", "stream", "summit", "swallow", "swan",
    "sycamore", "tapir", "teal", "tern", "thicket", "thistle", "thrush", "tiger", "toucan", "trout", "tulip", "tundra",
    "turtle", "valley", "violet", "viper", "vole", "walnut", "walrus", "warbler", "willow", "wolf", "wombat", "wren",
    "yak", "yarrow", "zebra", "zephyr",
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn attempts_give_other_names_and_the_last_ones_are_unique() {
        let id = Uuid::from_u128(0x0192_4c4c_0000_7000_8000_1234_0abc_def1);
        let names: HashSet<String> = (0..MAX_PLAIN_NAMES).map(|attempt| made_up(id, attempt)).collect();
        assert!(names.len() > 6, "{names:?}");
        assert!(names.iter().all(|name| name.split('-').count() == 2), "{names:?}");
        assert!(made_up(id, MAX_PLAIN_NAMES).ends_with("-abcdef1"));
        assert_eq!(short_id(id), "h-abcdef1");
        assert_eq!(made_up(id, 0), made_up(id, 0));
    }

    #[test]
    fn a_name_that_reads_as_a_reference_is_told() {
        let id = Uuid::from_u128(0x0192_4c4c_0000_7000_8000_1234_0abc_def1);
        let table = [
            (id.to_string(), None),
            (short_id(id), Some("a short id")),
            (short_id(id).to_uppercase(), Some("a short id")),
            ("host/a".to_owned(), Some("a reference to a host")),
            ("h-12345678".to_owned(), None),
            ("h-abcdefg".to_owned(), None),
            ("rack7/host".to_owned(), None),
            (made_up(id, MAX_PLAIN_NAMES), None),
        ];
        for (name, expected) in table {
            assert_eq!(reads_as(&name), expected, "{name}");
        }
    }

    #[test]
    fn names_are_spread_over_all_words() {
        let names: HashSet<String> = (0..10_000).map(|id| made_up(Uuid::from_u128(id), 0)).collect();
        assert!(names.len() > 8_000, "{}", names.len());
        let words = |list: &[&str]| list.iter().collect::<HashSet<_>>().len() == list.len();
        assert!(words(&FIRST_WORDS) && words(&SECOND_WORDS));
    }
}
