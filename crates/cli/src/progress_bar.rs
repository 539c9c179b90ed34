//! Progress bars on stderr for long runs.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The bar of a run whose number of parts is known.
pub const BAR_TEMPLATE: &str = "{wide_bar} {pos}/{len} ({elapsed} gone{left})";
/// The spinner of a run that has not finished a part yet.
pub const SPINNER_TEMPLATE: &str = "{spinner} {elapsed} gone, the first part is being computed";

/// Returns the style of a bar; `{left}` in the template is the remaining time, known once a part is
/// done.
pub fn bar_style(template: &str) -> ProgressStyle {
    let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
        // If this write fails, only the remaining time is missing from the line.
        let _ = out.write_str(&remaining_time(state.pos(), state.eta()));
    };
    let style = ProgressStyle::with_template(template).expect("the template is right");
    style.with_key("left", left)
}

/// The remaining time, estimated from the parts that are done.
fn remaining_time(done: u64, eta: Duration) -> String {
    match done {
        0 => String::new(),
        _ => format!(", {:#} left", HumanDuration(eta)),
    }
}

/// The bar that is shown now. While it is shown, a question that is asked as a part of the run does
/// not get another bar.
static CURRENT_BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn lock_current_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    CURRENT_BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints something to stderr above the bar, if there is one.
pub fn print_above_bar(say: impl FnOnce()) {
    let bar = lock_current_bar().clone().filter(|bar| !bar.is_finished());
    match bar {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

/// Makes a bar that is hidden for the first second. If the run is not done by then, the bar appears
/// on stderr and is redrawn regularly, even if no progress is reported.
pub fn delayed_bar(length: Option<u64>, style: ProgressStyle) -> ProgressBar {
    let mut current = lock_current_bar();
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
    // If no thread can start, the bar stays hidden.
    let _ = std::thread::Builder::new().spawn(later);
    bar
}

/// Makes a progress bar on stderr for a number of steps; it is hidden if stderr is not a terminal.
pub fn step_bar(length: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    delayed_bar(Some(length), bar_style(BAR_TEMPLATE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_left_before_a_part_is_done() {
        assert_eq!(remaining_time(0, Duration::ZERO), "");
        assert_eq!(remaining_time(2, Duration::from_secs(15)), ", 15s left");
    }

    #[test]
    fn a_bar_that_moves_at_once_is_not_drawn() {
        let bar = delayed_bar(Some(13), bar_style(BAR_TEMPLATE));
        bar.set_position(5);
        assert!(bar.is_hidden());
        bar.finish_and_clear();
    }
}
