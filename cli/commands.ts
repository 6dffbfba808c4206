import type { CommandEntry } from './command.js';

/** Every command by its name, in the order of `castellan --help`. Nothing is loaded before it is the one that runs. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  synth: { summary: 'write plain Terraform JSON', load: () => import('./commands/synth.js') },
  serve: { summary: 'run services by themselves, any of them together on one port', load: () => import('./commands/serve.js') },
};
