import { Command, Help, type Option } from 'commander';
import { CastellanError } from '../core/errors/castellan-error.js';
import { terminalOutputOf } from '../core/text/terminal.js';
import packageJson from '../package.json';
import type { CliIo } from './command.js';
import { printText } from './format.js';

/** The program without its commands: name, version, and its output streams. */
export function createProgram(io: CliIo): Command {
  const program = new CastellanCommand('castellan');
  program
    .description(
      'Infrastructure and policy as code: declare, check, synthesize, apply to a local sandbox or to the cloud.',
    )
    .version(packageJson.version)
    .option(
      '--verbose',
      'also show the files that are ignored, and stack traces of unexpected failures',
    )
    .exitOverride()
    .configureHelp({ formatItem: helpItem, optionDescription })
    .configureOutput({
      writeOut: (text) => printText(io.stdout, text),
      writeErr: (text) => printText(io.stderr, text),
      // a terminal whose width is not known reports 0 columns
      getOutHelpWidth: () => terminalOutputOf(io.stdout, {}).columns ?? 80,
      getErrHelpWidth: () => terminalOutputOf(io.stderr, {}).columns ?? 80,
      outputError: () => undefined,
    });
  return program;
}

/**
 * A term and its meaning: side by side, or one below the other on a terminal that is too narrow.
 */
function helpItem(
  this: Help,
  term: string,
  termWidth: number,
  description: string,
  helper: Help,
): string {
  const isTooNarrow =
    (this.helpWidth ?? 80) - termWidth - 4 < this.minWidthToWrap && description !== '';
  return isTooNarrow
    ? `  ${term}\n      ${description}`
    : Help.prototype.formatItem.call(this, term, termWidth, description, helper);
}

/** The description of an option, without an uninformative default. */
function optionDescription(this: Help, option: Option): string {
  return Help.prototype.optionDescription
    .call(this, option)
    .replace(/ \(default: (?:\[\]|false)\)$/, '');
}

/**
 * A command that reports all missing options and arguments at once, in the form of every other
 * error.
 */
class CastellanCommand extends Command {
  override createCommand(name?: string): CastellanCommand {
    return new CastellanCommand(name);
  }

  // Commander calls these two for the first missing one; its types lack both.
  missingArgument(): never {
    throw this.missingInputError();
  }

  missingMandatoryOptionValue(): never {
    throw this.missingInputError();
  }

  private missingInputError(): CastellanError {
    const options = this.options
      .filter((each) => each.mandatory && this.getOptionValue(each.attributeName()) === undefined)
      .map(({ flags }) => flags);
    const names = [
      ...this.registeredArguments
        .filter(({ required }, index) => required && this.args[index] === undefined)
        .map(
          (each) =>
            `<${each.name()}>${each.argChoices === undefined ? '' : ` (${each.argChoices.join(', ')})`}`,
        ),
      ...options,
    ];
    return new CastellanError('CAS8001', `${commandLineOf(this)} needs ${names.join(' and ')}`, {
      details: { missing: names },
    });
  }
}

/** `castellan sandbox start`, as it is typed. */
function commandLineOf(command: Command): string {
  return command.parent === null
    ? command.name()
    : `${commandLineOf(command.parent)} ${command.name()}`;
}
