import type { Command } from 'commander';
import { CastellanError } from '../core/errors/castellan-error.js';
import { exitCodes } from '../core/findings/exit-code.js';
import { didYouMean, nearest } from '../core/text/nearest.js';
import type { CliIo, CommandEntry } from './command.js';
import { addExamplesAndExitCodes } from './help.js';
import { createProgram } from './program.js';
import { reportError } from './report-error.js';

/**
 * Runs one command line and returns its exit code. Findings go to stdout, progress and errors to
 * stderr; a stack trace is printed only with `--verbose`.
 *
 * @param words the words after `castellan`.
 * @param otherCommandsHint where the other commands are, for the message about an unknown one.
 */
export async function runCommands(
  commands: Readonly<Record<string, CommandEntry>>,
  words: readonly string[],
  io: CliIo,
  otherCommandsHint?: string,
): Promise<number> {
  const args = words[0] === 'help' && words.length > 1 ? [...words.slice(1), '--help'] : words;
  let exitCode: number = exitCodes.clean;
  const program = createProgram(io);
  const name = args.find((word) => !word.startsWith('-') && word !== 'help');
  try {
    const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (name !== undefined && entry === undefined) {
      const hint = didYouMean(nearest(name, Object.keys(commands)), '', ',');
      throw new CastellanError(
        'CAS8001',
        `unknown command "${name}"${hint}${otherCommandsHint === undefined ? '' : `; ${otherCommandsHint}`}`,
      );
    }
    if (entry !== undefined) {
      const verbose = args.includes('--verbose');
      const hasCommand = (command: string): boolean => Object.hasOwn(commands, command);
      const commandIo = { ...io, verbose, hasCommand };
      (await entry.load()).register(program, commandIo, (code) => (exitCode = code));
      for (const command of program.commands) addExamplesAndExitCodes(command, command.name());
    } else {
      for (const [commandName, { summary, heading }] of Object.entries(commands)) {
        if (heading !== undefined) program.commandsGroup(heading);
        program.command(commandName).description(summary);
      }
      addExamplesAndExitCodes(program, '');
    }
    if (args.length === 0) {
      program.outputHelp();
      return exitCodes.failure;
    }
    await program.parseAsync([...expandOptions(args, program)], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, args, io);
  }
}

/**
 * Replaces options by those that the commands declare: `--env` by `--environment`, and
 * `--auto-approve=prod` by `--auto-approve --approve prod` (`--allow-replace=ADDRESS` alike): an
 * option with an optional value would take the path after it. An option that no command declares
 * stays, for the message about it.
 *
 * @param args the words after `castellan`.
 */
export function expandOptions(
  args: readonly string[],
  { commands }: Pick<Command, 'commands'>,
): readonly string[] {
  const isDeclared = (name: string): boolean =>
    commands.some(({ options }) => options.some(({ long }) => long === name));
  const end = args.indexOf('--');
  return args.flatMap((word, index) => {
    if (end !== -1 && index > end) return [word];
    const [, option, value = ''] = /^--(auto-approve|allow-replace)=(.*)$/.exec(word) ?? [];
    if (option === 'allow-replace' && isDeclared('--allow-replace-of'))
      return ['--allow-replace-of', value];
    return option !== 'auto-approve' || !isDeclared('--approve')
      ? [word.replace(/^--env(?==|$)/, '--environment')]
      : ['--auto-approve', '--approve', value];
  });
}
