//! The match runner: a match between engines, or an errand around one.

use kete::cli::{Errand, KeteMatch};
use kete::contest::{Outcome, OwnProgram, StopSignal, launch, stand_guard};
use kete::protocol::{Session, Writer, writer};
use std::io::{BufReader, Write, stderr, stdin, stdout};
use std::process::ExitCode;

/// H0 was accepted, or a game went otherwise when it was played again.
const REFUTED: u8 = 1;
/// It cannot be done as it was typed.
const USAGE: u8 = 2;
/// An engine failed.
const FAILED: u8 = 3;
/// By an interrupt.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let typed = KeteMatch::from_command_line();
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("KETE_LOG", "warn")).init();
    match run(typed) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nobody may be there to read it.
            let _ = writeln!(stderr(), "error: {error}");
            ExitCode::from(USAGE)
        }
    }
}

fn run(typed: KeteMatch) -> Result<u8, Box<dyn std::error::Error>> {
    let output = Writer::new(stdout());
    match typed.errand {
        Some(Errand::Guard) => stand_guard(stdin().lock())?,
        Some(Errand::Launch { words }) => match launch(&words)? {},
        Some(Errand::Engine) => {
            let session = Session::new(output);
            writer::watch_standard_output(session.output_closed_handler());
            session.run(BufReader::new(stdin()))?;
        }
        _ => {
            let (task, own, stop) = (typed.task()?, OwnProgram::current()?, StopSignal::new()?);
            stop.on_interrupts(INTERRUPTED.into())?;
            return Ok(match task.carry_out(&output, &own, &stop)? {
                Outcome::Done => 0,
                Outcome::Refuted => REFUTED,
                Outcome::Failed => FAILED,
                Outcome::Interrupted => INTERRUPTED,
            });
        }
    }
    Ok(0)
}
