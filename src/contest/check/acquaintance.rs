//! First steps: who the engine is, what can be set, and whether it bears with its input.

use super::subject::{Flaw, Subject, shown, untested, wrong};
use crate::game::Variant;
use crate::notation::parse_setup;
use crate::protocol::option_spec::{OptionKind, OptionSpec};
use crate::protocol::reply::{Reply, parse_reply};

pub(super) fn uci(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    subject.broken_off().map_or(Ok(()), wrong)
}

pub(super) fn name(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    match subject.client()?.id_name() {
        Some(name) if !name.is_empty() => Ok(()),
        _ => wrong("no line \"id name ...\" before uciok"),
    }
}

pub(super) fn author(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    let is_author = |line: &String| matches!(parse_reply(line), Ok(Reply::IdAuthor(name)) if !name.is_empty());
    if subject.introduction().iter().any(is_author) {
        return Ok(());
    }
    wrong("no line \"id author ...\" before uciok")
}

pub(super) fn option_lines(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    for line in subject.introduction() {
        if let Err(error) = parse_reply(line) {
            return wrong(format!("{}: {error}", shown(line)));
        }
    }
    Ok(())
}

fn options(subject: &mut Subject<'_>) -> Result<Vec<OptionSpec>, Flaw> {
    Ok(subject.client()?.options().to_vec())
}

pub(super) fn unique_names(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    let options = options(subject)?;
    let twice =
        options.iter().enumerate().find(|(at, option)| options.iter().take(*at).any(|o| o.is_named(&option.name)));
    match twice {
        None => Ok(()),
        Some((_, option)) => {
            wrong(format!("option {} is listed twice (upper and lower case are the same)", option.name))
        }
    }
}

/// The value that an option has at first, as `setoption` takes it; `None` for a button.
fn default_of(option: &OptionSpec) -> Option<String> {
    match &option.kind {
        OptionKind::Check { default } => Some(default.to_string()),
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::Combo { default, .. } | OptionKind::String { default } => Some(default.clone()),
        OptionKind::Button => None,
    }
}

pub(super) fn defaults(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    for option in options(subject)? {
        let default = default_of(&option);
        if let Err(error) = option.accepts(default.as_deref()) {
            return wrong(format!("{}: its default: {error}", shown(&option.to_string())));
        }
    }
    Ok(())
}

pub(super) fn ready(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    // Whatever comes after the first readyok is heard before the second.
    subject.take(&[])?;
    subject.take(&[])
}

pub(super) fn uci_again(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    let (time, stop) = (subject.startup(), subject.signal());
    let client = subject.client()?;
    client.exchange(&["uci"], time, stop, "uciok", |reply| matches!(reply, Reply::UciOk).then_some(()))?;
    subject.take(&[])
}

pub(super) fn unknown_command(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    subject.settle(&["xyzzy 1 2 3"])?;
    Ok(())
}

pub(super) fn empty_line(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    subject.take(&["", "   "])
}

pub(super) fn white_space(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    subject.take(&["\tisready \r", "ucinewgame\r", "position \t  startpos\r"])
}

pub(super) fn set_defaults(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    let options = options(subject)?;
    if options.is_empty() {
        return untested("it lists no options");
    }
    for option in &options {
        let default = default_of(option);
        // What a button does is not known, and a default that is none has its own step.
        if let Ok(Some(value)) = option.accepts(default.as_deref()) {
            subject.take(&[&format!("setoption name {} value {value}", option.name)])?;
        }
    }
    Ok(())
}

pub(super) fn unknown_option(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    subject.settle(&["setoption name No Such Option value 1", "setoption name No Such Button"])?;
    Ok(())
}

pub(super) fn wrong_values(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    let mut lines = Vec::new();
    for option in options(subject)? {
        let value = match &option.kind {
            OptionKind::Check { .. } => "maybe".to_owned(),
            // Nothing too large: an engine that takes it for the largest value may take much memory.
            OptionKind::Spin { min, .. } => match min.checked_sub(1) {
                Some(value) => value.to_string(),
                None => "x".to_owned(),
            },
            OptionKind::Combo { .. } => "no-such-choice".to_owned(),
            OptionKind::Button | OptionKind::String { .. } => continue,
        };
        lines.push(format!("setoption name {} value {value}", option.name));
    }
    if lines.is_empty() {
        return untested("no option has a range");
    }
    for line in &lines {
        subject.settle(&[line])?;
    }
    // What it made of them must not bear on later steps.
    subject.leave();
    Ok(())
}

pub(super) fn variants(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    let Some(option) = subject.option("UCI_Variant")? else {
        let variant = game_at_hand(subject)?;
        subject.set_variants(vec![variant]);
        return untested(format!("there is no such option; it is taken to play {variant}"));
    };
    let choices = match &option.kind {
        OptionKind::Combo { choices, .. } => choices.clone(),
        _ => return wrong(format!("{}: expected a combo", shown(&option.to_string()))),
    };
    let is_listed = |variant: &Variant| choices.iter().any(|choice| choice == variant.name());
    let known: Vec<Variant> = Variant::ALL.into_iter().filter(is_listed).collect();
    if known.is_empty() {
        let names = Variant::ALL.map(Variant::name).join(", ");
        return wrong(format!("{}: expected one of {names} among the choices", shown(&option.to_string())));
    }
    for &variant in &known {
        subject.take(&[&format!("setoption name {} value {variant}", option.name)])?;
    }
    subject.set_variants(known);
    Ok(())
}

/// The game of an engine that offers no choice: the one that it tells, or the one that the protocol begins with.
fn game_at_hand(subject: &mut Subject<'_>) -> Result<Variant, Flaw> {
    let told = subject.query(&["position startpos"], "query fen")?.unwrap_or_default();
    let is_told = |variant: &Variant| parse_setup(&told, *variant).is_ok();
    Ok(Variant::ALL.into_iter().find(is_told).unwrap_or(Variant::Kiswahili))
}
