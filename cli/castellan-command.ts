import { Command } from 'commander';
import { CastellanError } from '../core/errors/castellan-error.js';

/** A command whose missing options and arguments are named all at once, in the words of every other error. */
export class CastellanCommand extends Command {
  override createCommand(name?: string): CastellanCommand {
    return new CastellanCommand(name);
  }

  // Commander calls these two for the first that is missing; it declares neither in its types.
  missingArgument(): never {
    throw this.missing();
  }

  missingMandatoryOptionValue(): never {
    throw this.missing();
  }

  private missing(): CastellanError {
    const options = this.options
      .filter((each) => each.mandatory && this.getOptionValue(each.attributeName()) === undefined)
      .map(({ flags }) => flags);
    const names = [
      ...this.registeredArguments
        .filter(({ required }, index) => required && this.args[index] === undefined)
        .map((each) => `<${each.name()}>`),
      ...options,
    ];
    return new CastellanError('CAS8001', `${pathOf(this)} needs ${names.join(' and ')}`, { details: { missing: names } });
  }
}

/** `castellan sandbox start`, as it is typed. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
