//! Bars on stderr that show how far a long run has come.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What is shown of a run whose length is known.
pub const BAR: &str = "{wide_bar} {pos}/{len} ({elapsed} gone{left})";
/// And of one that has told nothing yet.
pub const SPINNER: &str = "{spinner} {elapsed} gone, the first part is being computed";

/// The look of a bar; `{left}` is the time that is left, once a part is done that tells it.
pub fn style(template: &str) -> ProgressStyle {
    let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
        // A line that is written in part is only a line.
        let _ = out.write_str(&left(state.pos(), state.eta()));
    };
    let style = ProgressStyle::with_template(template).expect("the template is right");
    style.with_key("left", left)
}

/// How long it still takes, as far as the parts tell that are done.
fn left(done: u64, eta: Duration) -> String {
    match done {
        0 => String::new(),
        _ => format!(", {:#} left", HumanDuration(eta)),
    }
}

/// The bar that is there: a question that another command asks on its way has none of its own.
static CURRENT: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn current() -> MutexGuard<'static, Option<ProgressBar>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says something on stderr above the bar, if there is one.
pub fn above_bar(say: impl FnOnce()) {
    let bar = current().clone().filter(|bar| !bar.is_finished());
    match bar {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

/// A bar that shows nothing at first, also if it is moved: on stderr after a second, if it is not
/// done by then, and it moves from then on, also while nobody tells how far the run has come.
pub fn late_bar(length: Option<u64>, style: ProgressStyle) -> ProgressBar {
    let mut current = current();
    if current.as_ref().is_some_and(|bar| !bar.is_finished()) {
        return ProgressBar::hidden();
    }
    let hidden = ProgressDrawTarget::hidden();
    let bar = ProgressBar::with_draw_target(length, hidden).with_style(style);
    *current = Some(bar.clone());
    let shown = bar.clone();
    let later = move || {
        std::thread::sleep(Duration::from_secs(1));
        if !shown.is_finished() {
            shown.set_draw_target(ProgressDrawTarget::stderr());
            shown.enable_steady_tick(Duration::from_millis(250));
        }
    };
    // Without a thread to spare, nothing is shown.
    let _ = std::thread::Builder::new().spawn(later);
    bar
}

/// A progress bar on stderr for a number of steps; hidden where stderr is not a terminal.
pub fn bar(length: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    late_bar(Some(length), style(BAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_left_before_a_part_is_done() {
        assert_eq!(left(0, Duration::ZERO), "");
        assert_eq!(left(2, Duration::from_secs(15)), ", 15s left");
    }

    #[test]
    fn a_bar_that_moves_at_once_is_not_drawn() {
        let bar = late_bar(Some(13), style(BAR));
        bar.set_position(5);
        assert!(bar.is_hidden());
        bar.finish_and_clear();
    }
}
