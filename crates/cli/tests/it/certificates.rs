//! Tests of the certificates of `flipcost verify`: their contents, how they are checked and
//! resumed, and that no incomplete certificate is left. Also checks the certificates in the
//! repository.

use crate::support;

use std::fs;
use std::path::{Path, PathBuf};
use support::run as ran;
use toml::Table;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

fn table(file: &str) -> Table {
    fs::read_to_string(file).unwrap().parse().unwrap()
}

#[test]
fn a_certificate_holds_until_it_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    for claim in ["toll", "ceil-plus-one", "layman", "half-period"] {
        let file = path(folder.path(), claim);
        let made = ran(&["verify", claim, "--to", "30000", "--certificate", &file]);
        assert_eq!(made, (0, String::new(), String::new()), "{claim}");
        assert!(!Path::new(&format!("{file}.part")).exists());
        let (status, said, errors) = ran(&["verify", "--check", &file]);
        assert_eq!((status, errors.as_str()), (0, ""), "{said}");
        assert!(
            said.contains("parts: 1 of 1 computed again\nresult: as certified"),
            "{said}"
        );
        // another number of threads gives the same bytes
        let other = path(folder.path(), &format!("{claim}-again"));
        let words = [
            "verify",
            claim,
            "--to",
            "30000",
            "--certificate",
            &other,
            "--threads",
            "1",
        ];
        assert_eq!(ran(&words).0, 0);
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), text);
        // the command must match the claim and the range, but the version is not checked
        fs::write(&other, text.replace("--to 30000", "--to 20000")).unwrap();
        let (status, _, errors) = ran(&["verify", "--check", &other]);
        assert_eq!((status, errors.lines().count()), (1, 1), "{errors}");
        assert!(
            errors.contains("its command is `flipcost verify"),
            "{errors}"
        );
        fs::write(&other, text.replace("version = \"0", "version = \"9")).unwrap();
        let (status, said, _) = ran(&["verify", "--check", &other]);
        assert_eq!(status, 0, "{said}");
        assert!(said.contains("as the file says (not checked)"), "{said}");
        // every digit is checked
        for key in [
            "values_sha256 = \"",
            "sample_sha256 = \"",
            "checked = ",
            "sample = ",
        ] {
            let at = text.find(key).unwrap() + key.len();
            let changed = if &text[at..=at] == "1" { "2" } else { "1" };
            let changed = format!("{}{changed}{}", &text[..at], &text[at + 1..]);
            fs::write(&other, changed).unwrap();
            let (status, said, errors) = ran(&["verify", "--check", &other]);
            assert_eq!(
                (status, errors.lines().count()),
                (1, 1),
                "{key}: {said}{errors}"
            );
            assert!(said.contains("result: not as certified"), "{key}: {said}");
        }
    }
}

/// Writing a certificate does not overwrite a different one, and a certificate whose texts differ
/// from those of its claim is refused.
#[test]
fn other_files_are_kept_and_other_texts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "toll.toml");
    let write = |to: &str, file: &str| ran(&["verify", "toll", "--to", to, "--certificate", file]);
    assert_eq!(write("3000", &file).0, 0);
    let text = fs::read_to_string(&file).unwrap();
    let (status, _, error) = write("2000", &file);
    assert_eq!(status, 2);
    assert!(error.contains("already exists"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert_eq!(write("3000", &file).0, 0);
    let notes = path(folder.path(), "notes.txt");
    fs::write(&notes, "mine").unwrap();
    assert_eq!(write("50", &notes).0, 2);
    assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
    for key in ["statement", "standing", "values", "second_method"] {
        let mut table = table(&file);
        table.insert(key.to_string(), "for every n".into());
        let other = path(folder.path(), key);
        fs::write(&other, table.to_string()).unwrap();
        let (status, said, error) = ran(&["verify", "--check", &other]);
        assert_eq!((status, said.as_str()), (2, ""), "{key}");
        assert!(
            error.contains("differ from those of this program"),
            "{error}"
        );
    }
}

#[test]
fn the_digest_is_of_the_nearest_doubles() {
    // E(1) = 0, E(2) = 1, E(3) = 8/3, E(4) = 2: sha256sum of the 32 bytes
    let doubles = [0f64, 1.0, 8.0 / 3.0, 2.0].map(f64::to_le_bytes).concat();
    assert_eq!(doubles.len(), 32);
    let (status, said, _) = ran(&["verify", "toll", "--to", "4", "--digest"]);
    let digest = "values: SHA-256 ";
    let at = said.find(digest).unwrap() + digest.len();
    let digest = &said[at..at + 64];
    assert_eq!(status, 0, "{said}");
    assert_eq!(digest, flipcost_studies::record::digest(&doubles));
    let row = ran(&[
        "--query", "verify", "toll", "--from", "2", "--to", "4", "--digest",
    ])
    .1;
    let asked: serde_json::Value = serde_json::from_str(&row).unwrap();
    assert_eq!(
        asked,
        serde_json::json!({"ask": "verify", "claim": "toll", "from": 2, "to": 4, "digest": true})
    );
}

#[test]
fn an_interrupted_certificate_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, file) = (path(folder.path(), "whole"), path(folder.path(), "some"));
    // a range of two parts; the second part has 1000 n
    let (from, to) = ("16777217", "33555432");
    let query = ["--query", "verify", "toll", "--from", from, "--to", to];
    let run = |file: &str| ran(&[&query[1..], &["--certificate", file, "--resume"]].concat());
    assert_eq!(run(&whole), (0, String::new(), String::new()));
    let text = fs::read_to_string(&whole).unwrap();
    // a finished part is not computed again: the digest of the first part was made wrong, and it
    // stays wrong
    let second = text.rfind("\n[[part]]").unwrap();
    let begun = text[..second].replace("values_sha256 = \"", "values_sha256 = \"ff");
    let part = format!("{file}.part");
    let mut crc = crc32fast::Hasher::new();
    crc.update(begun.as_bytes());
    crc.update(&(1u64 << 24).to_le_bytes());
    let heading = serde_json::json!({
        "flipcost": env!("CARGO_PKG_VERSION"),
        "format": null,
        "header": text.split("\n[[part]]").next(),
        "rows": 16778216,
        "query": serde_json::from_str::<serde_json::Value>(&ran(&[&query[..], &["--digest"]].concat()).1).unwrap(),
    });
    let reached =
        serde_json::json!({"done": 1 << 24, "bytes": begun.len(), "crc32": crc.finalize()});
    let journal = format!("{part}.journal");
    let left = format!("{heading}\n{reached}\n");
    fs::write(&part, &begun).unwrap();
    fs::write(&journal, &left).unwrap();
    assert_eq!(run(&file), (0, String::new(), String::new()));
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        begun.clone() + &text[second..]
    );
    assert!(!Path::new(&part).exists() && !Path::new(&journal).exists());
    let checked = ran(&["verify", "--check", &whole, "--parts", "1"]);
    assert!(
        checked
            .1
            .contains("parts: 1 of 2 computed again\nresult: as certified"),
        "{}",
        checked.1
    );
    // the certificate of another command is not touched
    fs::remove_file(&file).unwrap();
    fs::write(&part, &begun).unwrap();
    fs::write(
        &journal,
        left.replace("\"claim\":\"toll", "\"claim\":\"layman"),
    )
    .unwrap();
    let (status, _, errors) = run(&file);
    assert_eq!((status, errors.lines().count()), (2, 1), "{errors}");
    assert!(errors.contains("a different request (claim is"), "{errors}");
    assert_eq!(fs::read_to_string(&part).unwrap(), begun);
}

#[test]
fn invalid_certificates_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "toll.toml");
    assert_eq!(
        ran(&["verify", "toll", "--to", "100", "--certificate", &file]).0,
        0
    );
    let text = fs::read_to_string(&file).unwrap();
    let wrong = path(folder.path(), "wrong");
    for (bad, says) in [
        ("x".to_string(), "not a certificate"),
        (
            text.replace("claim = \"toll\"", "claim = \"goldbach\""),
            "goldbach",
        ),
        (
            text.replacen("to = 100", "to = 99", 1),
            "parts do not cover",
        ),
        (text.replacen("from = 1", "from = 0", 1), "no n from 0"),
        (text.replacen("from = 1", "from = 200", 1), "no n from 200"),
        (
            text.split("[[part]]").next().unwrap().to_string(),
            "parts do not cover",
        ),
        (text.replace("sample =", "samples ="), "not a certificate"),
    ] {
        fs::write(&wrong, &bad).unwrap();
        let (status, out, errors) = ran(&["verify", "--check", &wrong]);
        assert_eq!(
            (status, out.as_str(), errors.lines().count()),
            (2, "", 1),
            "{bad}: {errors}"
        );
        assert!(errors.contains(says), "{errors}");
    }
    for (words, says) in [
        (&["verify", "--check", "no-such-file"][..], "no-such-file"),
        (
            &["verify", "aldr-toll", "--to", "9", "--digest"],
            "aldr-toll",
        ),
        (
            &["verify", "aldr-toll", "--to", "9", "--certificate", &wrong],
            "aldr-toll",
        ),
        (
            &["verify", "toll", "--from", "9", "--to", "8"],
            "must lie between 1 and --to",
        ),
        (
            &["verify", "layman", "--from", "2", "--to", "8"],
            "between 3",
        ),
        (&["verify", "toll", "--to", "8", "--parts", "2"], "--check"),
        (
            &[
                "--query",
                "verify",
                "toll",
                "--to",
                "8",
                "--certificate",
                &wrong,
            ],
            "part",
        ),
    ] {
        let (status, _, errors) = ran(words);
        assert_eq!(status, 2, "{words:?}: {errors}");
        assert!(errors.contains(says), "{words:?}: {errors}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The certificates in `data/certificates/`: each is listed in `docs/Records.md` with its range and
/// its digest, and the test recomputes one part of each.
#[test]
fn the_certificates_of_the_records_hold() {
    let records = fs::read_to_string(root().join("docs/Records.md")).unwrap();
    let mut seen = 0;
    for entry in fs::read_dir(root().join("data/certificates")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_name().unwrap().to_str().unwrap().to_string();
        let file = file.to_str().unwrap();
        let known = table(file);
        let row = (records.lines())
            .find(|line| line.contains(&format!("certificates/{name})")))
            .unwrap_or_else(|| panic!("{name} has no row"));
        assert!(
            row.contains(&format!("`{}`", known["claim"].as_str().unwrap())),
            "{row}"
        );
        let parts = known["part"].as_array().unwrap();
        let checked: i64 = parts
            .iter()
            .map(|part| part["checked"].as_integer().unwrap())
            .sum();
        let grouped = |n: i64| {
            let digits = n.to_string();
            let groups = digits.as_bytes().rchunks(3).rev();
            let groups: Vec<&str> = groups
                .map(|group| std::str::from_utf8(group).unwrap())
                .collect();
            groups.join(",")
        };
        for n in [known["to"].as_integer().unwrap(), checked] {
            assert!(
                row.contains(&grouped(n)),
                "{row} does not say {}",
                grouped(n)
            );
        }
        let (status, said, errors) = ran(&["verify", "--check", file, "--parts", "1"]);
        assert_eq!(status, 0, "{said}{errors}");
        seen += 1;
    }
    assert_eq!(records.matches("(../data/certificates/").count(), seen);
}
