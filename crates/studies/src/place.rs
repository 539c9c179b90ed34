//! A deserializer for the parsed values of a TOML file that knows the position of each value.
//!
//! The deserializer of `toml` is generic code that is compiled again for every type of a study,
//! which took about a third of the build time of this package. Here the file is parsed first, and
//! the generic code that walks the parsed values is short.

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};
use toml::map::Iter;

/// A mistake in a file, with its position.
#[derive(Debug)]
pub struct SpannedError(Box<(String, Option<Range<usize>>)>);

impl SpannedError {
    /// Returns the description of the mistake.
    pub fn message(&self) -> &str {
        &self.0.0
    }

    /// Returns the range of bytes in the file, if it is known.
    pub fn place(&self) -> Option<Range<usize>> {
        self.0.1.clone()
    }

    /// Sets the position, unless the mistake already has one, which is more precise.
    #[cold]
    pub fn with_span(mut self, place: Range<usize>) -> SpannedError {
        self.0.1.get_or_insert(place);
        self
    }
}

impl From<toml::de::Error> for SpannedError {
    fn from(error: toml::de::Error) -> SpannedError {
        SpannedError((error.message().to_string(), error.span()).into())
    }
}

impl Display for SpannedError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for SpannedError {}

impl Error for SpannedError {
    fn custom<T: Display>(message: T) -> SpannedError {
        SpannedError((message.to_string(), None).into())
    }

    #[cold]
    fn invalid_type(given: Unexpected, expected: &dyn Expected) -> SpannedError {
        SpannedError::custom(format_args!("invalid type: {given}, expected {expected}"))
    }
}

/// Parses a file into its table.
///
/// # Errors
/// If the text is not TOML, with the position of the mistake.
pub fn parse(text: &str) -> Result<Spanned<DeValue<'_>>, SpannedError> {
    let table = DeTable::parse(text)?;
    let span = table.span();
    Ok(Spanned::new(span, DeValue::Table(table.into_inner())))
}

/// A value of a file.
#[derive(Clone, Copy)]
pub struct SpannedValue<'a>(pub &'a Spanned<DeValue<'a>>);

impl<'a> SpannedValue<'a> {
    /// Returns the value's range of bytes in the file.
    pub fn span(self) -> Range<usize> {
        self.0.span()
    }

    /// Deserializes the value.
    ///
    /// # Errors
    /// If the value cannot be read as a `T`, with the position of the mistake.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, SpannedError> {
        self.seed(PhantomData)
    }

    fn seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<S::Value, SpannedError> {
        seed.deserialize(self)
            .map_err(|wrong| wrong.with_span(self.span()))
    }

    /// Returns the keys and the values of a table.
    ///
    /// # Errors
    /// If the value is not a table; the sentence says that `expected` was expected.
    pub fn entries(
        self,
        expected: &str,
    ) -> Result<impl Iterator<Item = (&'a str, Range<usize>, SpannedValue<'a>)>, SpannedError> {
        match self.0.get_ref() {
            DeValue::Table(table) => Ok(table
                .iter()
                .map(|(key, value)| (key.get_ref().as_ref(), key.span(), SpannedValue(value)))),
            _ => Err(self.type_error(&expected).with_span(self.span())),
        }
    }

    /// Returns the values of a list.
    ///
    /// # Errors
    /// If the value is not a list.
    pub fn items(self) -> Result<impl Iterator<Item = SpannedValue<'a>>, SpannedError> {
        match self.0.get_ref() {
            DeValue::Array(list) => Ok(list.iter().map(SpannedValue)),
            _ => Err(self.type_error(&"a sequence").with_span(self.span())),
        }
    }

    /// Returns the error that this value does not have the expected type.
    #[cold]
    fn type_error(self, expected: &dyn Expected) -> SpannedError {
        let given = match self.0.get_ref() {
            DeValue::String(text) => Unexpected::Str(text),
            DeValue::Boolean(value) => Unexpected::Bool(*value),
            DeValue::Array(_) => Unexpected::Seq,
            DeValue::Table(_) => Unexpected::Map,
            DeValue::Integer(_) => Unexpected::Other("a whole number beyond 2^128"),
            DeValue::Float(_) => Unexpected::Other("a number that no double is near to"),
            DeValue::Datetime(_) => Unexpected::Other("a date"),
        };
        SpannedError::invalid_type(given, expected)
    }
}

impl<'de> Deserializer<'de> for SpannedValue<'de> {
    type Error = SpannedError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SpannedError> {
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(number) => {
                let (digits, radix) = (number.as_str(), number.radix());
                if let Ok(number) = i64::from_str_radix(digits, radix) {
                    visitor.visit_i64(number)
                } else if let Ok(number) = u64::from_str_radix(digits, radix) {
                    visitor.visit_u64(number)
                } else if let Ok(number) = i128::from_str_radix(digits, radix) {
                    visitor.visit_i128(number)
                } else if let Ok(number) = u128::from_str_radix(digits, radix) {
                    visitor.visit_u128(number)
                } else {
                    Err(self.type_error(&visitor))
                }
            }
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(near) if !near.is_infinite() || number.as_str().contains("inf") => {
                    visitor.visit_f64(near)
                }
                _ => Err(self.type_error(&visitor)),
            },
            DeValue::Boolean(value) => visitor.visit_bool(*value),
            DeValue::Array(list) => visitor.visit_seq(Items(list.iter())),
            DeValue::Table(table) => visitor.visit_map(Entries::new(table)),
            DeValue::Datetime(_) => Err(self.type_error(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SpannedError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, SpannedError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SpannedError> {
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_enum(StrDeserializer::new(text)),
            DeValue::Table(table) if table.len() == 1 => visitor.visit_enum(Entries::new(table)),
            DeValue::Table(_) => Err(SpannedError::custom(
                "a table with exactly one key was expected",
            )),
            _ => Err(SpannedError::custom("wanted string or table")),
        }
    }

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 char str string seq bytes byte_buf map
        unit ignored_any unit_struct tuple_struct tuple identifier struct
    }
}

/// The values of a list, in order.
struct Items<'a>(std::slice::Iter<'a, Spanned<DeValue<'a>>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = SpannedError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, SpannedError> {
        let Some(item) = self.0.next() else {
            return Ok(None);
        };
        SpannedValue(item).seed(seed).map(Some)
    }
}

/// The keys and the values of a table, in order.
struct Entries<'a> {
    left: Iter<'a, Spanned<DeString<'a>>, Spanned<DeValue<'a>>>,
    value: Option<&'a Spanned<DeValue<'a>>>,
}

impl<'a> Entries<'a> {
    fn new(table: &'a DeTable<'a>) -> Entries<'a> {
        Entries {
            left: table.iter(),
            value: None,
        }
    }

    /// Returns the next key; [`Entries::value`] then returns its value.
    fn key(&mut self) -> Option<&'a Spanned<DeString<'a>>> {
        let (key, value) = self.left.next()?;
        self.value = Some(value);
        Some(key)
    }

    fn value(&mut self) -> SpannedValue<'a> {
        SpannedValue(
            self.value
                .take()
                .expect("serde asks for a value after its key"),
        )
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = SpannedError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, SpannedError> {
        let Some(key) = self.key() else {
            return Ok(None);
        };
        match seed.deserialize(StrDeserializer::new(key.get_ref())) {
            Ok(value) => Ok(Some(value)),
            Err::<_, SpannedError>(wrong) => Err(wrong.with_span(key.span())),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, SpannedError> {
        self.value().seed(seed)
    }
}

/// A table with one key; the key selects the variant of an enum.
impl<'de> EnumAccess<'de> for Entries<'de> {
    type Error = SpannedError;
    type Variant = SpannedValue<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, SpannedValue<'de>), SpannedError> {
        let key = self.next_key_seed(seed)?;
        let key =
            key.ok_or_else(|| SpannedError::custom("a table with exactly one key was expected"))?;
        Ok((key, self.value()))
    }
}

impl<'de> VariantAccess<'de> for SpannedValue<'de> {
    type Error = SpannedError;

    fn unit_variant(self) -> Result<(), SpannedError> {
        Err(self.type_error(&"a name alone").with_span(self.span()))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<S::Value, SpannedError> {
        self.seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, SpannedError> {
        self.struct_variant(&[], visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SpannedError> {
        self.deserialize_any(visitor)
            .map_err(|wrong| wrong.with_span(self.span()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, SpannedError> {
        SpannedValue(&parse(text)?).read()
    }

    #[test]
    fn values_equal_those_of_the_crate_toml() {
        let studies = std::fs::read_dir("../../analysis").unwrap();
        let studies = studies.map(|entry| entry.unwrap().path());
        let mut count = 0;
        for study in studies.filter(|path| path.extension().is_some_and(|end| end == "toml")) {
            let text = std::fs::read_to_string(study).unwrap();
            let ours: Value = read(&text).unwrap();
            assert_eq!(ours, toml::from_str::<Value>(&text).unwrap());
            count += 1;
        }
        assert!(count > 20);
        let text = "a = [0x10, -9223372036854775808, 18446744073709551615, 1e3, true, {b = ''}]";
        let ours: Value = read(text).unwrap();
        assert_eq!(ours, toml::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn errors_have_the_position_of_their_value() {
        type Numbers = std::collections::BTreeMap<String, Vec<u8>>;
        for (text, marked) in [
            ("a = [1, 256]", "256"),
            ("a = 1979-05-27", "1979-05-27"),
            ("a = [1e999]", "1e999"),
            ("a = [1]\nb = ['x']", "'x'"),
            ("a = [1]\nb = {c = 1}", "{c = 1}"),
        ] {
            let wrong = read::<Numbers>(text).unwrap_err();
            assert_eq!(&text[wrong.place().unwrap()], marked, "{wrong}");
        }
    }
}
