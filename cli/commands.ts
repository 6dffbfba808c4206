import { checkCommands, completionCommand } from './check-commands.js';
import type { CommandEntry } from './command.js';

/**
 * Every command by its name, in the order of `castellan --help`. A command is loaded only when it
 * runs.
 */
export const commands: Readonly<Record<string, CommandEntry>> = {
  ...checkCommands,
  plan: {
    heading: 'Apply and run:',
    summary: 'show what `up` would change, and what would be lost',
    load: () => import('./commands/plan.js'),
  },
  up: {
    summary: 'check, synthesize and apply: to the local sandbox, or to the cloud',
    load: () => import('./commands/up.js'),
  },
  down: { summary: 'destroy stacks', load: () => import('./commands/down.js') },
  status: { summary: 'show what runs, and where', load: () => import('./commands/status.js') },
  logs: { summary: 'show what an app writes', load: () => import('./commands/logs.js') },
  open: { summary: 'open an app in the browser', load: () => import('./commands/open.js') },
  dev: {
    summary: 'work on an app: restarted on change, signed in by a link',
    load: () => import('./commands/dev.js'),
  },
  output: {
    summary: 'print addresses and ids of what was applied',
    load: () => import('./commands/output.js'),
  },
  environments: {
    summary: 'list environments, with state and drift',
    load: () => import('./commands/environments.js'),
  },
  diff: {
    summary: 'show what differs between two environments',
    load: () => import('./commands/diff.js'),
  },
  synth: { summary: 'write plain Terraform JSON', load: () => import('./commands/synth.js') },
  sidecar: {
    heading: 'Systems:',
    summary: 'run the sign-in layer in front of any HTTP app',
    load: () => import('./commands/sidecar.js'),
  },
  sandbox: {
    summary: 'the local control plane: start, stop, status, reset, env',
    load: () => import('./commands/sandbox.js'),
  },
  console: {
    summary: 'show the running sandbox in a browser',
    load: () => import('./commands/console.js'),
  },
  billing: {
    summary: "list and sum up an invoice's transactions; compare them with budgets",
    load: () => import('./commands/billing.js'),
  },
  directory: {
    summary: 'show the directory: groups, authentication methods',
    load: () => import('./commands/directory.js'),
  },
  serve: {
    summary: 'run services by themselves, any of them together on one port',
    load: () => import('./commands/serve.js'),
  },
  adopt: {
    heading: 'Move and set up:',
    summary: 'write a configuration of what exists',
    load: () => import('./commands/adopt.js'),
  },
  provider: {
    summary: 'install the Terraform provider castellan/castellan as a plugin',
    load: () => import('./commands/provider.js'),
  },
  doctor: {
    summary: 'report problems of this machine, and how to fix them',
    load: () => import('./commands/doctor.js'),
  },
  completion: completionCommand(() => commands),
};
