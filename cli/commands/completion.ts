import { Argument } from 'commander';
import type { CommandEntry, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { describeCommands, scripts } from '../completion/scripts.js';

/** `castellan completion bash|zsh|fish`: prints a script that completes commands and options. */
export const registerCompletionFor =
  (commands: Readonly<Record<string, CommandEntry>>): RegisterCommand =>
  (program, io, done) => {
    addFormat(program.command('completion'))
      .description('Print the script that makes a shell complete commands and options.')
      .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
      .action(async (shell: keyof typeof scripts, flags: FormatFlags) => {
        const format = formatOf(flags);
        const commandDescriptions = await describeCommands(commands, io);
        if (format === 'json') printResult(format, { commands: commandDescriptions }, '', io);
        else io.stdout.write(scripts[shell](commandDescriptions));
        done(0);
      });
  };
