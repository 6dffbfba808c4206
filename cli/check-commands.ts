import type { CommandEntry } from './command.js';

/** The commands that need neither cdktf nor native code: those of the package castellan-check. */
export const checkCommands: Readonly<Record<string, CommandEntry>> = {
  init: {
    heading: 'Write and check:',
    summary: 'write the files of a new project',
    load: () => import('./commands/init.js'),
  },
  check: {
    summary: 'check configurations: every limit and rule, with the line',
    load: () => import('./commands/check.js'),
  },
  fix: {
    summary: 'apply the fixes of findings, keeping comments and layout',
    load: () => import('./commands/fix.js'),
  },
  explain: { summary: 'explain a rule or a finding', load: () => import('./commands/explain.js') },
  rules: { summary: 'list the rules', load: () => import('./commands/rules.js') },
  suppress: {
    summary: 'accept findings for a time: add, list, prune',
    load: () => import('./commands/suppress.js'),
  },
  baseline: {
    summary: 'accept the current findings: write, prune',
    load: () => import('./commands/baseline.js'),
  },
  test: { summary: 'run policy tests', load: () => import('./commands/test.js') },
  schema: {
    summary: 'print the JSON Schema of castellan.yaml for editors',
    load: () => import('./commands/schema.js'),
  },
  access: {
    heading: 'See what it means:',
    summary: 'show who gets into an app, and why',
    load: () => import('./commands/access.js'),
  },
  snapshot: {
    summary: 'store the part of the directory that stacks refer to, for CI',
    load: () => import('./commands/snapshot.js'),
  },
  graph: {
    summary: 'draw a configuration, what differs between environments, or an eventstream',
    load: () => import('./commands/graph.js'),
  },
  lsp: {
    summary: 'serve an editor over the Language Server Protocol',
    load: () => import('./commands/lsp.js'),
  },
};

/** The completion command, which includes these commands. */
export const completionCommand = (
  commands: () => Readonly<Record<string, CommandEntry>>,
): CommandEntry => ({
  summary: 'print a script that makes a shell complete commands',
  load: async () => ({
    register: (await import('./commands/completion.js')).registerCompletionFor(commands()),
  }),
});
