//! The engine: a session of the protocol on standard input and output, or one question and its answer.

use clap::Parser;
use kete::cli::{Kete, Question};
use kete::protocol::{Session, Writer, input, oneshot, writer};
use std::io::{BufReader, Write, stderr, stdin, stdout};
use std::process::ExitCode;

/// The exit code for what cannot be done as it was typed.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Kete::parse();
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("KETE_LOG", "off")).init();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be there to read it.
            let _ = writeln!(stderr(), "error: {error}");
            ExitCode::from(USAGE)
        }
    }
}

fn run(arguments: Kete) -> Result<(), Box<dyn std::error::Error>> {
    let mut writer = Writer::new(stdout());
    if let Some(path) = &arguments.log_file {
        writer = writer.with_dialogue(path).map_err(|e| format!("--log-file {}: {e}", path.display()))?;
    }
    match arguments.command {
        None => {
            let session = Session::new(writer).with_probe(input::standard_input_has_bytes);
            writer::watch_standard_output(session.output_closed_handler());
            session.run(BufReader::new(stdin()))?;
        }
        Some(Question::Bench { json, scalar }) => oneshot::write_bench(&writer, json, !scalar)?,
        Some(Question::Perft { depth, variant, position }) => {
            oneshot::write_perft(&writer, depth, variant, position.as_deref())?;
        }
        Some(Question::Params { json }) => oneshot::write_params(&writer, json)?,
        Some(Question::Datagen(arguments)) => oneshot::write_datagen(&writer, &arguments.task()?)?,
    }
    Ok(())
}
