//! Groups of `key=value` words, as the runner takes them: `--engine cmd=./kete name=new tc=8+0.08`.

use crate::notation::quote;
use std::cell::RefCell;

/// What is wrong with a group: which flag, which word, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{flag}: {problem}")]
pub struct GroupError {
    flag: &'static str,
    problem: String,
}

/// One group, whose words are taken out one after the other; what is left at the end is an error.
#[derive(Debug)]
pub(super) struct Group<'a> {
    flag: &'static str,
    pairs: RefCell<Vec<(&'a str, Option<&'a str>)>>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Group<'a> {
    /// Splits words at their first `=`.
    pub(super) fn new(flag: &'static str, words: &'a [String]) -> Group<'a> {
        let split = |word: &'a String| word.split_once('=').map_or((word.as_str(), None), |(k, v)| (k, Some(v)));
        Group { flag, pairs: RefCell::new(words.iter().map(split).collect()), asked: RefCell::default() }
    }

    /// An error about this group.
    pub(super) fn error(&self, problem: impl Into<String>) -> GroupError {
        GroupError { flag: self.flag, problem: problem.into() }
    }

    /// The value of `key`, if it is there.
    pub(super) fn take(&self, key: &'static str) -> Result<Option<&'a str>, GroupError> {
        self.asked.borrow_mut().push(key);
        let mut found = None;
        let mut twice = false;
        self.pairs.borrow_mut().retain(|(name, value)| {
            if *name != key {
                return true;
            }
            twice |= found.is_some();
            found = Some(*value);
            false
        });
        match found {
            _ if twice => Err(self.error(format!("{key}= is given twice, expected it once"))),
            None => Ok(None),
            Some(None | Some("")) => Err(self.error(format!("{key} has no value, expected {key}=..."))),
            Some(Some(value)) => Ok(Some(value)),
        }
    }

    /// The value of `key`, read.
    pub(super) fn parse<T: std::str::FromStr>(
        &self,
        key: &'static str,
        expected: &str,
    ) -> Result<Option<T>, GroupError> {
        let Some(value) = self.take(key)? else { return Ok(None) };
        let parsed = value.parse().map_err(|_| self.error(format!("{key}={value}: expected {expected}")))?;
        Ok(Some(parsed))
    }

    /// The value of `key`, which must be there, read.
    pub(super) fn required<T: std::str::FromStr>(&self, key: &'static str, expected: &str) -> Result<T, GroupError> {
        self.parse(key, expected)?.ok_or_else(|| self.error(format!("{key}= is missing, expected {expected}")))
    }

    /// The word without `=` at the head of the group.
    pub(super) fn head(&self) -> Option<&'a str> {
        let mut pairs = self.pairs.borrow_mut();
        match pairs.first() {
            Some((word, None)) => {
                let word = *word;
                pairs.remove(0);
                Some(word)
            }
            _ => None,
        }
    }

    /// All words that begin with `prefix`, without it, in their order; a value may be missing.
    pub(super) fn take_prefixed(&self, prefix: &str) -> Vec<(&'a str, Option<&'a str>)> {
        let mut found = Vec::new();
        self.pairs.borrow_mut().retain(|(name, value)| match name.strip_prefix(prefix) {
            Some(rest) => {
                found.push((rest, *value));
                false
            }
            None => true,
        });
        found
    }

    /// The end of the group: no word may be left.
    pub(super) fn finish(self) -> Result<(), GroupError> {
        match self.pairs.borrow().first() {
            None => Ok(()),
            Some((word, _)) => {
                let known: Vec<String> = self.asked.borrow().iter().map(|key| format!("{key}=")).collect();
                Err(self.error(format!("{} is not known here, expected {}", quote(word), known.join(", "))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn words_are_taken_out_until_none_is_left() {
        let words = words("random plies=6 option.A=1 option.B option.C=x=y");
        let group = Group::new("--x", &words);
        assert_eq!(group.head(), Some("random"));
        assert_eq!(group.head(), None);
        assert_eq!(group.parse("plies", "a number"), Ok(Some(6)));
        assert_eq!(group.take("start"), Ok(None));
        assert_eq!(group.take_prefixed("option."), [("A", Some("1")), ("B", None), ("C", Some("x=y"))]);
        assert_eq!(group.finish(), Ok(()));
    }

    #[test]
    fn errors_name_the_flag_the_word_and_what_was_expected() {
        let group_words = words("plies=many start=1 start=2 order= end=1");
        let group = Group::new("--openings", &group_words);
        let texts = [
            group.parse::<u32>("plies", "a whole number").unwrap_err(),
            group.take("start").unwrap_err(),
            group.take("order").unwrap_err(),
            group.required::<u32>("file", "a file").unwrap_err(),
            group.finish().unwrap_err(),
        ];
        assert_eq!(
            texts.map(|e| e.to_string()),
            [
                "--openings: plies=many: expected a whole number",
                "--openings: start= is given twice, expected it once",
                "--openings: order has no value, expected order=...",
                "--openings: file= is missing, expected a file",
                "--openings: \"end\" is not known here, expected plies=, start=, order=, file=",
            ]
        );
    }
}
