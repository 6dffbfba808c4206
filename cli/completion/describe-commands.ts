import type { Command } from 'commander';
import type { CliIo, CommandEntry } from '../command.js';
import { createProgram } from '../program.js';

/** A command as shells complete it: `sandbox start`, with its options and what comes next. */
export interface DescribedCommand {
  /** The words before; empty for `castellan` itself. */
  readonly path: readonly string[];
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/** Every command with the words that may follow it. */
export async function describeCommands(commands: Readonly<Record<string, CommandEntry>>, io: CliIo): Promise<readonly DescribedCommand[]> {
  const found: DescribedCommand[] = [
    { path: [], words: Object.entries(commands).map(([word, { summary }]) => ({ word, description: summary })) },
  ];
  for (const entry of Object.values(commands)) {
    const program = createProgram(io);
    (await entry.load()).register(program, io, () => undefined);
    for (const command of program.commands) describe(command, [], found);
  }
  return found;
}

function describe(command: Command, above: readonly string[], found: DescribedCommand[]): void {
  const path = [...above, command.name()];
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, description })),
  );
  const options = command.options.flatMap(({ long, description, hidden }) => (hidden || !long ? [] : [{ word: long, description }]));
  found.push({
    path,
    words: [...visible.map((each) => ({ word: each.name(), description: each.description() })), ...choices, ...options],
  });
  for (const each of visible) describe(each, path, found);
}
