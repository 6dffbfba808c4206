import { Argument } from 'commander';
import type { CommandEntry, RegisterCommand } from '../command.js';
import { describeCommands, scripts } from '../completion/scripts.js';

/** `castellan completion bash|zsh|fish`: prints what makes a shell complete commands and options. */
export const completionOf =
  (commands: Readonly<Record<string, CommandEntry>>): RegisterCommand =>
  (program, io, done) => {
    program
      .command('completion')
      .description('Print what makes a shell complete commands and options.')
      .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
      .action(async (shell: keyof typeof scripts) => {
        io.stdout.write(scripts[shell](await describeCommands(commands, io)));
        done(0);
      });
  };
