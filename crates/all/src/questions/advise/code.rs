//! Writes a method as a function in the user's programming language, and lists suitable functions
//! of this language's library.

use super::near::partial_sums;
use super::page::{format_value, short_decimal};
use super::{Advise, BY_WEIGHT_SUM, IN_BATCHES, Method, Prefer, STOPPED_AFTER, index_products};
use flipcost::law::Bias;
use flipcost::task::{Source, Task};
use flipcost_dice_set::page::WIDTH;
use flipcost_libraries::{LIBRARIES, SHUFFLES};
use flipcost_number::{BigUint, Rational, Real};
use flipcost_question::prelude::*;
use flipcost_streams::best_batches;
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// The largest deck whose batches are listed in the code.
const MAX_LISTED_CARDS: u64 = 200;
/// The largest number of weights that are listed in the code.
const MAX_LISTED_WEIGHTS: usize = 100;

choices! {
    /// A programming language in which the advice can write code.
    ///
    /// ```
    /// use flipcost_all::questions::CodeLanguage;
    /// assert_eq!("go".parse::<CodeLanguage>()?, CodeLanguage::Go);
    /// # Ok::<(), flipcost_question::ChoiceError>(())
    /// ```
    pub enum CodeLanguage {
        /// C.
        C = "c",
        /// Rust.
        Rust = "rust",
        /// Go.
        Go = "go",
        /// Java.
        Java = "java",
        /// Python.
        Python = "python",
        /// JavaScript.
        JavaScript = "javascript",
    }
}

impl CodeLanguage {
    /// Returns the language of files with this extension.
    ///
    /// ```
    /// use flipcost_all::questions::CodeLanguage;
    /// assert_eq!(CodeLanguage::of_extension("h"), Some(CodeLanguage::C));
    /// ```
    pub fn of_extension(extension: &str) -> Option<CodeLanguage> {
        Some(match extension {
            "c" | "h" => CodeLanguage::C,
            "rs" => CodeLanguage::Rust,
            "go" => CodeLanguage::Go,
            "java" => CodeLanguage::Java,
            "py" => CodeLanguage::Python,
            "js" | "mjs" => CodeLanguage::JavaScript,
            _ => return None,
        })
    }

    /// Returns the templates of the functions, each below a line `== METHOD` or `== METHOD BITS`.
    fn templates(self) -> &'static str {
        match self {
            CodeLanguage::C => include_str!("code/c.txt"),
            CodeLanguage::Rust => include_str!("code/rust.txt"),
            CodeLanguage::Go => include_str!("code/go.txt"),
            CodeLanguage::Java => include_str!("code/java.txt"),
            CodeLanguage::Python => include_str!("code/python.txt"),
            CodeLanguage::JavaScript => include_str!("code/javascript.txt"),
        }
    }

    /// Returns the name of the language.
    pub fn title(self) -> &'static str {
        let mut names = LIBRARIES.iter().map(|line| line.language);
        let known = names.find(|name| name.eq_ignore_ascii_case(self.name()));
        known.unwrap_or(self.name())
    }

    fn template(self, method: &str, bits: u64) -> Option<&'static str> {
        let texts = self.templates().trim_start_matches("== ").split("\n== ");
        let mut texts = texts.filter_map(|text| text.split_once('\n'));
        let wide = format!("{method} {bits}");
        texts
            .find(|(heading, _)| *heading == method || *heading == wide)
            .map(|(_, text)| text)
    }

    /// Returns the types of a word with this many bits, and of a product of two words.
    fn integer_types(self, bits: u64) -> (&'static str, &'static str) {
        match (self, bits) {
            (CodeLanguage::C, 32) => ("uint32_t", "uint64_t"),
            (CodeLanguage::C, _) => ("uint64_t", "unsigned __int128"),
            (CodeLanguage::Go, 32) => ("uint32", "uint64"),
            (CodeLanguage::Go, _) => ("uint64", ""),
            (_, 32) => ("u32", "u64"),
            _ => ("u64", "u128"),
        }
    }
}

impl Advise {
    /// Returns the method as a function. Returns an empty text if its numbers do not fit the
    /// language's types.
    pub(super) fn render_function(
        &self,
        language: CodeLanguage,
        method: &Method,
        task: &Task,
    ) -> String {
        let code = self.try_render_function(language, method, task);
        code.unwrap_or_default().trim_end().to_string()
    }

    fn try_render_function(
        &self,
        language: CodeLanguage,
        method: &Method,
        task: &Task,
    ) -> Option<String> {
        let source = &match method.words_joined {
            1 => task.source().clone(),
            joined => Source::word(task.source().bits()? * joined as u32).ok()?,
        };
        let m = source.is_fair().then(|| source.sides())?;
        let bits = m.bits() - 1;
        let weights = method.id.ends_with(BY_WEIGHT_SUM);
        // a method for weights uses a die whose number of sides is the sum of the weights
        let n = match task.target().sides() {
            None if weights => task.target().weight_sum(),
            n => n?,
        };
        let most = method.worst.unwrap_or(0);
        let template = self.template_name(method, source, n)?;
        if !self.fits_integer_types(language, template, n, &m) {
            return None;
        }
        let mut text = language.template(template, bits)?.to_string();
        let sums = partial_sums(task.target());
        if weights {
            text += "\n";
            text += language
                .template("sums", bits)
                .filter(|_| sums.len() <= MAX_LISTED_WEIGHTS)?;
        }
        let (count, longest, batches) = self.listed_batches(template, source)?;
        let k = if template_rolls_dice(template) {
            rolls_to_reach(n, &m)
        } else {
            0
        };
        let last = n - 1u8;
        let mask = (BigUint::one() << last.bits()) - 1u8;
        // beyond 53 bits, JavaScript's numbers are not exact integers
        let is_big = (n * &m).bits() > 53;
        let (word, wide) = language.integer_types(bits);
        let pairs = [
            ("{word}", word.to_string()),
            ("{wide}", wide.to_string()),
            ("{w}", bits.to_string()),
            ("{room}", bits.saturating_sub(4).to_string()),
            ("{most}", most.to_string()),
            ("{words}", count_with_noun(most, "word")),
            ("{nL}", format!("{n}L")),
            ("{n}", n.to_string()),
            ("{lastL}", format!("{last}L")),
            ("{last}", last.to_string()),
            ("{maskL}", format!("{mask}L")),
            ("{mask}", mask.to_string()),
            ("{m1}", (&m - 1u8).to_string()),
            ("{m}", m.to_string()),
            ("{k}", k.to_string()),
            ("{tobig}", if is_big { "BigInt" } else { "" }.to_string()),
            ("{big}", if is_big { "n" } else { "" }.to_string()),
            ("{cards}", self.shuffle.unwrap_or(0).to_string()),
            ("{count}", count.to_string()),
            ("{longest}", longest.to_string()),
            ("{batches}", batches),
            (
                "{limit}",
                ((1u128 << 62) / source.in_a_word().unwrap_or(1)).to_string(),
            ),
        ];
        if source != task.source() {
            let halves = format!("{bits} random bits, of two words");
            text = text.replace(&format!("{bits} random bits"), &halves);
            text = text.replace("{w} random bits", &halves);
        }
        let filled = pairs
            .iter()
            .chain(&self.weight_values(language, &sums))
            .fold(text, |text, (name, value)| text.replace(name, value));
        let lines = filled.lines().map(wrap_long_line);
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    fn template_name<'a>(
        &self,
        method: &'a Method,
        source: &Source,
        n: &BigUint,
    ) -> Option<&'a str> {
        Some(match method.id.as_str() {
            id if id.contains(STOPPED_AFTER) => "fast-dice-roller-stopped",
            // the template works only if each batch takes exactly two words
            id if id == format!("canon{IN_BATCHES}") => {
                let batches = index_products(source, self.shuffle?).len() as u64;
                let two = method.worst.unwrap_or(0) == 2 * method.words_joined * batches;
                two.then_some("canon-batches")?
            }
            id if id == format!("fast-dice-roller{IN_BATCHES}") => method
                .worst
                .is_none()
                .then_some("fast-dice-roller-batches")?,
            id if id.ends_with(BY_WEIGHT_SUM) => id.trim_end_matches(BY_WEIGHT_SUM),
            "mask-reject" if n.count_ones() == 1 => "mask",
            id => id,
        })
    }

    fn fits_integer_types(
        &self,
        language: CodeLanguage,
        template: &str,
        n: &BigUint,
        m: &BigUint,
    ) -> bool {
        let is_word = [32u64, 64].iter().any(|bits| *m == BigUint::one() << *bits);
        let is_batched = template.ends_with("batches");
        // the largest number in methods that roll dice is below n m and has to fit in 63 bits
        if language == CodeLanguage::Java && n.bits() > 63 && !is_batched {
            return false;
        }
        match template {
            "fast-dice-roller-batches" => m.bits() < 32,
            _ if template_rolls_dice(template) => (n * m).bits() < 64 && m.bits() < 32,
            "greedy-batches" | "canon-batches" => is_word,
            "batches" => is_word && self.shuffle.is_some_and(|cards| cards <= MAX_LISTED_CARDS),
            _ => is_word && n < m && *n > BigUint::one(),
        }
    }

    /// Returns the number of batches, the number of indices in the longest batch, and the list of
    /// batches that the template shows.
    fn listed_batches(&self, template: &str, source: &Source) -> Option<(usize, u64, String)> {
        if template == "batches" {
            let batches = best_batches(source, self.shuffle?)?.batches;
            let longest = batches.iter().map(|batch| batch.indices).max()?;
            let sizes: Vec<String> = batches
                .iter()
                .map(|batch| batch.indices.to_string())
                .collect();
            return Some((sizes.len(), longest, sizes.join(", ")));
        }
        // a deck of more than 20 cards has no longer batch than the decks of up to 20 cards
        let longest = (2..=20).filter_map(|cards| index_products(source, cards).into_iter().next());
        let longest = longest.map(|(indices, _)| indices).max();
        Some((0, longest.unwrap_or(0), String::new()))
    }

    /// Returns the values that fill in a template for weights with these partial sums.
    fn weight_values(
        &self,
        language: CodeLanguage,
        sums: &[BigUint],
    ) -> [(&'static str, String); 7] {
        // outcomes have names, or are counted from 0 like the faces of a die
        let target = self.target.as_ref().filter(|target| target.is_labelled());
        let labels: Option<Vec<i32>> = target.and_then(|target| {
            let label = |i: usize| target.label(&i.into()).parse().ok();
            (0..sums.len()).map(label).collect()
        });
        let last = sums.len().saturating_sub(1);
        let (outcomes, picked, pick) = match labels {
            Some(labels) => {
                let labels = labels.iter().map(ToString::to_string);
                let labels = labels.collect::<Vec<String>>().join(", ");
                let table = match language {
                    CodeLanguage::C => format!("(const int[]){{{labels}}}[i]"),
                    CodeLanguage::Go => format!("[]int{{{labels}}}[i]"),
                    CodeLanguage::Java => format!("new int[] {{{labels}}}[i]"),
                    _ => format!("[{labels}][i]"),
                };
                (labels, "i32", table)
            }
            None => (format!("0 to {last}"), "usize", "i".to_string()),
        };
        let list = |suffix: &str| {
            let sums = sums[..last].iter().map(|sum| format!("{sum}{suffix}"));
            sums.collect::<Vec<_>>().join(", ")
        };
        [
            ("{outcomes}", format!("{outcomes}, by their weights.")),
            ("{picked}", picked.to_string()),
            ("{pick}", pick),
            ("{sums}", list("")),
            ("{sumsL}", list("L")),
            ("{sumsn}", list("n")),
            ("{summed}", last.to_string()),
        ]
    }

    /// Describes at most three exact functions of the language's library for this die or shuffle,
    /// with their costs. If there is no exact function, describes one that is not exact. Returns
    /// `None` if no function is known.
    pub(super) fn suggest_library_functions(
        &self,
        language: CodeLanguage,
        task: &Task,
    ) -> Option<String> {
        if self.bits.is_some() {
            return None;
        }
        let (all, line) = match self.shuffle {
            Some(cards) => {
                let line = format!("flipcost shuffle {cards} --libraries");
                (self.library_shuffles(language, cards), line)
            }
            None => {
                let n = task.target().sides()?;
                let line = format!("flipcost libraries {language} --target {n}");
                (self.library_draws(language, n), line)
            }
        };
        let name = language.title();
        let steady = matches!(self.prefer, Prefer::Bounded | Prefer::ConstantTime);
        if all.is_empty() && steady {
            let so = match self.prefer {
                Prefer::Bounded => "that has a bounded number of words and is as near to fair",
                _ => "that always takes the same number of words and is as near to fair",
            };
            return Some(format!("{name} has no function {so}. All: {line}"));
        }
        if all.is_empty() && self.shuffle.is_some() {
            return Some(format!("{name} has no shuffle; those of others: {line}"));
        }
        let (exact, biased): (Vec<_>, Vec<_>) = all.into_iter().partition(|has| has.is_fair);
        let (shown, fair) = if exact.is_empty() {
            (biased.get(..1)?, "not exactly fair")
        } else {
            (&exact[..exact.len().min(3)], "exactly fair")
        };
        let functions = shown.iter().map(|has| {
            let words = match self.shuffle {
                Some(_) => short_decimal(&has.words).ok()?,
                None => format_value(&has.words).ok()?,
            };
            let bits = has.bits.map(|bits| format!(" of {bits} bits"));
            let bits = bits.unwrap_or_default();
            let words = with_unit(&words, "words");
            Some(format!("{}, {words}{bits}", has.function))
        });
        let functions = functions.collect::<Option<Vec<String>>>()?.join("; ");
        Some(format!("{name} has, {fair}: {functions}. All: {line}"))
    }

    fn library_shuffles(&self, language: CodeLanguage, cards: u64) -> Vec<LibraryFunctionCost> {
        let lines = SHUFFLES
            .iter()
            .filter(|line| line.language.eq_ignore_ascii_case(language.name()));
        let all = lines.filter_map(|line| {
            let cost = line.cost(cards).ok()?;
            self.accepts(&cost.words, cost.most, &cost.bias_at_most)
                .then_some(())?;
            Some(LibraryFunctionCost {
                function: format!("{} ({})", line.function, line.version),
                is_fair: cost.bias_at_most.is_zero(),
                words: cost.words,
                bits: cost.word_bits,
            })
        });
        all.collect()
    }

    fn library_draws(&self, language: CodeLanguage, n: &BigUint) -> Vec<LibraryFunctionCost> {
        let lines = LIBRARIES
            .iter()
            .filter(|line| line.language.eq_ignore_ascii_case(language.name()));
        let all = lines.filter_map(|line| {
            let cost = line.cost(n).ok()?;
            let distance = cost.outcomes.as_ref().map_or(Rational::zero(), |law| {
                Bias::new(law, n.clone()).total_variation()
            });
            let words = cost.words.mean_real();
            self.accepts(&words, cost.words.max(), &Real::Exact(distance))
                .then_some(())?;
            Some(LibraryFunctionCost {
                function: line.function.to_string(),
                is_fair: cost.is_exact(),
                words,
                bits: cost.word_bits,
            })
        });
        all.collect()
    }

    /// Returns whether a library's function also satisfies the user's preference.
    fn accepts(&self, words: &Real, most: Option<u64>, distance: &Real) -> bool {
        let is_near =
            || distance.compare(Real::Exact(self.max_distance())) != Ok(Ordering::Greater);
        let is_steady = |most: u64| Some(&Rational::from_integer(most.into())) == words.exact();
        match self.prefer {
            Prefer::Bounded => most.is_some() && is_near(),
            Prefer::ConstantTime => most.is_some_and(is_steady) && is_near(),
            _ => true,
        }
    }
}

/// Returns whether the template's function rolls dice and compares the number of possible results
/// with n.
fn template_rolls_dice(template: &str) -> bool {
    matches!(
        template,
        "fast-dice-roller" | "fast-dice-roller-stopped" | "rejection-ceil"
    )
}

/// Returns the smallest k for which k rolls of a die with m sides have at least n outcomes.
fn rolls_to_reach(n: &BigUint, m: &BigUint) -> u64 {
    let (mut k, mut all) = (0, BigUint::one());
    while all < *n {
        all *= m;
        k += 1;
    }
    k
}

/// Breaks a long list of batches, or a long comment, into several lines.
fn wrap_long_line(line: &str) -> String {
    let start = line.trim_start();
    let indent = &line[..line.len() - start.len()];
    let comment = ["/// ", "// "]
        .into_iter()
        .find(|mark| start.starts_with(mark));
    let indent = format!("{indent}{}", comment.unwrap_or("    "));
    let options = textwrap::Options::new(WIDTH - 4)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .subsequent_indent(&indent);
    textwrap::fill(line, options)
}

/// A function of a library, with its cost.
struct LibraryFunctionCost {
    function: String,
    words: Real,
    bits: Option<u32>,
    is_fair: bool,
}
