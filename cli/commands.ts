import type { CommandEntry } from './command.js';

/** Every command by its name, in the order of `castellan --help`. Nothing is loaded before it is the one that runs. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  check: { summary: 'check configurations: every limit and rule, with the line', load: () => import('./commands/check.js') },
  fix: { summary: 'correct what has a fix, keeping comments and layout', load: () => import('./commands/fix.js') },
  explain: { summary: 'explain a rule or a finding', load: () => import('./commands/explain.js') },
  rules: { summary: 'list the rules', load: () => import('./commands/rules.js') },
  suppress: { summary: 'accept findings for a time: add, list, prune', load: () => import('./commands/suppress.js') },
  baseline: { summary: 'accept what is there now: write, prune', load: () => import('./commands/baseline.js') },
  test: { summary: 'run policy tests', load: () => import('./commands/test.js') },
  schema: { summary: 'print the JSON Schema of castellan.yaml for editors', load: () => import('./commands/schema.js') },
  access: { summary: 'show who gets into an app, and why', load: () => import('./commands/access.js') },
  plan: { summary: 'show what `up` would change, and what would be lost', load: () => import('./commands/plan.js') },
  up: { summary: 'check, synthesize and apply: to the local sandbox, or to the cloud', load: () => import('./commands/up.js') },
  down: { summary: 'destroy stacks', load: () => import('./commands/down.js') },
  status: { summary: 'show what runs, and where', load: () => import('./commands/status.js') },
  synth: { summary: 'write plain Terraform JSON', load: () => import('./commands/synth.js') },
  sidecar: { summary: 'run the sign-in layer in front of any HTTP app', load: () => import('./commands/sidecar.js') },
  sandbox: { summary: 'the local control plane: start, stop, status, reset, env', load: () => import('./commands/sandbox.js') },
  lsp: { summary: 'serve an editor over the Language Server Protocol', load: () => import('./commands/lsp.js') },
  billing: { summary: "list and sum up an invoice's transactions; hold them against budgets", load: () => import('./commands/billing.js') },
  directory: { summary: 'look into the directory: groups, authentication methods', load: () => import('./commands/directory.js') },
  adopt: { summary: 'write a configuration of what exists', load: () => import('./commands/adopt.js') },
  graph: { summary: 'draw an eventstream', load: () => import('./commands/graph.js') },
  provider: { summary: 'install the Terraform provider castellan/castellan as a plugin', load: () => import('./commands/provider.js') },
  serve: { summary: 'run services by themselves, any of them together on one port', load: () => import('./commands/serve.js') },
};
