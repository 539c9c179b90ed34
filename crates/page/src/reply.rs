//! Answers the questions of the page.

use flipcost_all::first_word;
use flipcost_question::PictureError;
use flipcost_question::sentence::SentencePart;
use flipcost_question::{Control, Estimate, QueryError, make_printable};
use qrcodegen::{QrCode, QrCodeEcc};
use serde_json::{Value, json};

/// The largest question, in bytes.
pub const MAX_QUESTION_BYTES: usize = 1 << 16;

/// The limits of one question. They apply to the estimate of its cost, which is an upper bound and
/// often far too high.
const MAX_ESTIMATE: Estimate = Estimate {
    work: 1 << 46,
    memory: 1 << 31,
    output: 1 << 26,
};

/// A question in words, as a person types it into a field.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionInWords {
    words: String,
}

/// A link to be drawn as a QR code, which a camera reads from paper.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct QrLink {
    link: String,
}

/// Returns the QR code of a link as SVG, with the white margin that cameras need.
fn link_code(link: &str) -> Result<String, String> {
    let code = QrCode::encode_text(link, QrCodeEcc::Medium)
        .map_err(|_| format!("a link of {} bytes is too long for a code", link.len()))?;
    let size = code.size();
    let places = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let dark = places.filter(|&(x, y)| code.get_module(x, y));
    let dark: String = dark
        .map(|(x, y)| format!("M{} {}h1v1h-1z", x + 4, y + 4))
        .collect();
    let all = size + 8;
    Ok(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {all} {all}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{all}v{all}h-{all}z"/><path d="{dark}"/></svg>"##
    ))
}

/// The requested form of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The answer as one line of JSON, as `flipcost ask` writes it.
    Answer,
    /// The picture of the answer as SVG.
    Picture,
}

/// The reply to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The answer in the requested form, or `{"error":"...","field":"...","given":"..."}` with one
    /// sentence. `field` and `given` name the wrong field of the question and its value, if they
    /// are known.
    pub body: Vec<u8>,
    form: Option<Form>,
}

impl Reply {
    /// Returns whether the body is an answer.
    pub fn is_answered(&self) -> bool {
        self.form.is_some()
    }

    /// Returns the media type of the body.
    pub fn media_type(&self) -> &'static str {
        match self.form {
            Some(Form::Picture) => "image/svg+xml",
            _ => "application/json",
        }
    }

    /// Returns a reply with one sentence instead of an answer.
    pub fn refusal(sentence: impl std::fmt::Display) -> Reply {
        Reply::error_reply(json!({ "error": make_printable(&sentence.to_string()) }))
    }

    fn error_reply(error: Value) -> Reply {
        Reply {
            body: format!("{error}\n").into_bytes(),
            form: None,
        }
    }
}

/// Answers one question within the limits of `control`. Questions that name a file are refused,
/// because the page has no files.
pub fn reply(text: &str, form: Form, control: &Control) -> Reply {
    reply_with_estimate(text, form, control, &|_| ())
}

/// Answers one question as [`reply`] does. Before the question is answered, `tell` receives the
/// upper estimate of its cost.
pub(crate) fn reply_with_estimate(
    text: &str,
    form: Form,
    control: &Control,
    tell: &dyn Fn(&Estimate),
) -> Reply {
    let within = control.run(|| Ok::<_, QueryError>(answer_question(text, form, control, tell)));
    match within.unwrap_or_else(|error| Err(error.to_json())) {
        Ok(body) => Reply {
            body,
            form: Some(form),
        },
        Err(error) => Reply::error_reply(error),
    }
}

/// Replaces each question in an error by its command line, because people who use the page do not
/// type JSON.
fn with_command_lines(mut error: QueryError) -> Value {
    if let QueryError::Input(input) = &mut error {
        let sentences = [Some(&mut input.what), input.right.as_mut()];
        for part in sentences.into_iter().flatten().flat_map(|all| &mut all.0) {
            if let SentencePart::Question(line, _) = part {
                *part = SentencePart::Text(format!("`{line}`"));
            }
        }
    }
    error.to_json()
}

fn answer_question(
    text: &str,
    form: Form,
    control: &Control,
    tell: &dyn Fn(&Estimate),
) -> Result<Vec<u8>, Value> {
    let said = |sentence: String| json!({ "error": make_printable(&sentence) });
    let wrong = with_command_lines;
    if text.len() > MAX_QUESTION_BYTES {
        return Err(said(format!(
            "a question has at most {MAX_QUESTION_BYTES} bytes, but this one has {}",
            text.len()
        )));
    }
    if let Ok(QuestionInWords { words }) = serde_json::from_str(text) {
        let read = first_word::parse_request(&words);
        let read = read.ok_or_else(|| said(format!("\"{words}\" does not name a target: a die, weights or dice were expected, such as \"d7 from a d6\", 4:7:8 or 3d6")))?;
        return Ok(format!("{read}\n").into_bytes());
    }
    if let (Form::Picture, Ok(QrLink { link })) = (form, serde_json::from_str(text)) {
        return link_code(&link).map(String::into_bytes).map_err(said);
    }
    let query = flipcost_all::from_json(text).map_err(wrong)?;
    if query.question().names_a_file() {
        let refusal = "a question of the page cannot read a file: ask it with the program";
        return Err(said(refusal.to_string()));
    }
    let estimate = query.estimate();
    tell(&estimate);
    if estimate.work > MAX_ESTIMATE.work
        || estimate.memory > MAX_ESTIMATE.memory
        || estimate.output > MAX_ESTIMATE.output
    {
        let line = query.command();
        return Err(said(format!(
            "this may take too long or be too much for a page: the program answers `{line}`"
        )));
    }
    let answer = query.answer(control).map_err(wrong)?;
    match form {
        Form::Answer => {
            let mut body = Vec::new();
            let written = answer.write_shown_json(&mut body);
            written.map_err(|error| said(error.to_string()))?;
            Ok(body)
        }
        Form::Picture => match answer.draw_picture() {
            Ok(drawing) => Ok(drawing.svg().into_bytes()),
            Err(PictureError::Query(error)) => Err(wrong(error)),
            Err(error) => Err(said(error.to_string())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        let reply = reply(text, Form::Answer, &Control::default());
        assert!(!reply.is_answered(), "{text}");
        String::from_utf8(reply.body).unwrap()
    }

    #[test]
    fn no_file_is_read() {
        for text in [
            r#"{"ask":"oeis-check","id":"A136043","against":"/etc/passwd"}"#,
            r#"{"ask":"oeis-identify","terms":"1,2","stripped":"/etc/passwd"}"#,
        ] {
            assert!(said(text).contains("cannot read a file"), "{}", said(text));
        }
        assert!(said(r#"{"ask":"cost","target":"@/etc/passwd"}"#).contains("is not a target"));
    }

    #[test]
    fn too_much_work_is_refused_before_it_begins() {
        let range = r#"{"ask":"cost","target":"1..1000000000000"}"#;
        assert!(said(range).contains("the program answers `flipcost cost 1..1000000000000`"));
        let long = format!("{{{}", " ".repeat(MAX_QUESTION_BYTES));
        assert!(said(&long).contains("at most 65536 bytes"));
    }

    /// An error that names another question writes it as a command line.
    #[test]
    fn errors_write_other_questions_as_command_lines() {
        let word = said(r#"{"ask":"libraries","target":"6","word":"52"}"#);
        let error: Value = serde_json::from_str(&word).unwrap();
        let text = error["error"].as_str().unwrap();
        assert!(
            text.contains("`flipcost libraries --target 52`") && !text.contains('{'),
            "{text}"
        );
    }

    /// The limits also apply to the time that parsing a question takes.
    #[test]
    fn stopped_questions_are_not_read() {
        let control = Control::default();
        control.stop();
        let reply = reply("no question", Form::Answer, &control);
        assert!(reply.body.starts_with(br#"{"error":"it was stopped"#));
    }

    /// Errors quote arbitrary names shortened and without control characters. Earlier versions
    /// quoted them unchanged, for example 5000 digits, or escapes that turn a terminal red.
    #[test]
    fn quoted_texts_are_short_and_printable() {
        let digits = "9".repeat(5000);
        for question in [
            format!(r#"{{"ask":"cost","target":"6","{digits}":1}}"#),
            format!(r#"{{"ask":"cite","what":"{digits}"}}"#),
            format!(r#"{{"ask":"show","target":"{digits}","view":"flowchart"}}"#),
            format!(r#"{{"ask":"{digits}"}}"#),
            r#"{"ask":"cost","target":"6","\u001b[31m":1}"#.to_string(),
            r#"{"ask":"cite","what":"\u001b[31m"}"#.to_string(),
        ] {
            let error: Value = serde_json::from_str(&said(&question)).unwrap();
            for (name, text) in error.as_object().unwrap() {
                let text = text.as_str().unwrap();
                assert!(text.len() < 2500, "{name}: {text}");
                assert!(!text.contains(char::is_control), "{name}: {text}");
            }
        }
    }

    #[test]
    fn words_are_parsed_as_at_a_terminal() {
        let reply = reply(
            r#"{"words":"a d7 from a d6"}"#,
            Form::Answer,
            &Control::default(),
        );
        let read: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(
            read,
            json!({"command": "flipcost cost d7 --source d6", "ask": "cost", "of": "d7", "source": "d6"})
        );
        assert!(said(r#"{"words":"rhubarb"}"#).contains("does not name a target"));
    }

    /// Corners, margins and size follow the standard: a link of 40 bytes needs 29 by 29 squares.
    #[test]
    fn a_link_becomes_a_qr_code() {
        let link = format!("https://dice.example/#/table?{}", "x".repeat(11));
        let question = json!({ "link": link }).to_string();
        let code = reply(&question, Form::Picture, &Control::default());
        assert_eq!(code.media_type(), "image/svg+xml");
        let code = String::from_utf8(code.body).unwrap();
        assert!(code.contains(r#"viewBox="0 0 37 37""#), "{code}");
        let corner: String = (4..11).map(|x| format!("M{x} 4h1v1h-1z")).collect();
        assert!(code.contains(&corner), "{code}");
        let long = json!({ "link": "x".repeat(5000) }).to_string();
        let refused = reply(&long, Form::Picture, &Control::default());
        let refused = String::from_utf8(refused.body).unwrap();
        assert!(refused.contains("a link of 5000 bytes is too long"));
    }

    #[test]
    fn errors_name_the_field_and_the_value() {
        let text = said(r#"{"ask":"batch","targets":["6"],"seed":7}"#);
        let error: Value = serde_json::from_str(&text).unwrap();
        let told = "`input` and `seed` give the rolls for `trace`: add it";
        assert_eq!(error, json!({"error": told, "field": "seed", "given": "7"}));
    }

    #[test]
    fn missing_pictures_are_reported_in_a_sentence() {
        let question = r#"{"ask":"cost","target":"6"}"#;
        let reply = reply(question, Form::Picture, &Control::default());
        assert_eq!(reply.media_type(), "application/json");
        assert!(
            String::from_utf8(reply.body)
                .unwrap()
                .contains("has no such picture")
        );
    }
}
