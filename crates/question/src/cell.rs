//! Rows of values as rows of cells.

use flipcost::table::Cell;
use flipcost_number::{BigUint, Rational};

/// What a cell shows; what is not there is an empty one.
pub trait Shown {
    fn cell(self) -> Cell;
}

macro_rules! shown {
    ($($type:ty, |$value:ident| $cell:expr);* $(;)?) => {$(
        impl Shown for $type {
            fn cell(self) -> Cell {
                let $value = self;
                $cell
            }
        }
    )*};
}

shown! {
    Cell, |cell| cell;
    &str, |text| Cell::Text(text.to_string());
    &String, |text| Cell::Text(text.clone());
    String, |text| Cell::Text(text);
    bool, |flag| Cell::Flag(flag);
    u32, |count| Cell::Integer(count.into());
    u64, |count| Cell::Integer(count.into());
    usize, |count| Cell::Integer(count.into());
    BigUint, |count| Cell::Integer(count.into());
    &BigUint, |count| Cell::Integer(count.into());
    Rational, |value| Cell::from(value);
    &Rational, |value| Cell::from(value);
}

impl<T: Shown> Shown for Option<T> {
    fn cell(self) -> Cell {
        self.map_or(Cell::Empty, T::cell)
    }
}

/// A row of values, each in its cell.
#[macro_export]
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$($crate::cell::Shown::cell($value)),*] };
}
