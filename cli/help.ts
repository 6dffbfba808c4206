import type { Command } from 'commander';

const defaultExitCodes = ['0  done', '2  wrong usage or a failure'];
const noConfiguration = '4  there is no castellan.yaml';
const unreadableConfiguration = '1  a configuration cannot be read';
/** The exit codes of commands, by the words of the command; '' is the program itself. */
const exitCodesByCommand: Readonly<Record<string, readonly string[]>> = {
  '': [
    '0  done',
    '1  findings, or what a command found to be wrong',
    '2  wrong usage or a failure',
    '3, 4  see `castellan check --help`',
  ],
  check: [
    '0  nothing is wrong',
    '1  findings',
    '2  wrong usage or a failure',
    '3  open verdicts, with --fail-on-unknown or --fail-on-unset',
    '4  nothing was checked',
  ],
  fix: [
    '0  nothing is wrong any more',
    '1  findings are left',
    '2  wrong usage or a failure',
    '4  nothing was checked',
  ],
  test: [
    '0  every case passes',
    '1  a case fails',
    '2  wrong usage or a failure',
    '4  there are no cases',
  ],
  up: [
    '0  applied',
    '1  findings, a loss of data that was not allowed, or an app that crashed',
    '2  wrong usage or a failure',
    noConfiguration,
  ],
  plan: ['0  planned', '1  findings', '2  wrong usage or a failure', noConfiguration],
  synth: ['0  written', '1  findings', '2  wrong usage or a failure', noConfiguration],
  down: [
    '0  destroyed, or nothing there',
    unreadableConfiguration,
    '2  wrong usage or a failure',
    noConfiguration,
  ],
  diff: [
    '0  compared',
    '1  something differs, with --exit-code, or a configuration cannot be read',
    '2  wrong usage or a failure',
    noConfiguration,
  ],
  environments: [
    '0  listed',
    unreadableConfiguration,
    '2  wrong usage or a failure',
    noConfiguration,
  ],
  snapshot: ['0  done', unreadableConfiguration, '2  wrong usage or a failure', noConfiguration],
  graph: ['0  drawn', '1  its source has mistakes', '2  wrong usage or a failure', noConfiguration],
  access: [
    '0  shown',
    '1  findings',
    '2  wrong usage or a failure',
    '4  there is no castellan.yaml, or no container app in it',
  ],
  'adopt all': ['0  done', '2  wrong usage or a failure', '4  there is nothing to declare'],
  'adopt groups': ['0  done', '2  wrong usage or a failure', '4  there is no such group'],
  'baseline write': ['0  written', '2  wrong usage or a failure', '4  nothing was checked'],
  'billing summary': ['0  summed up', '1  a budget is exceeded', '2  wrong usage or a failure'],
  doctor: ['0  nothing is wrong', '1  something is wrong', '2  wrong usage or a failure'],
  sidecar: [
    '0  ended, or the configuration is valid',
    '1  the configuration is not valid (--config-test)',
    '2  wrong usage or a failure',
  ],
  sandbox: ['0  done', '1  it does not run (status)', '2  wrong usage or a failure'],
  'sandbox status': ['0  it runs', '1  it does not run', '2  wrong usage or a failure'],
};

/**
 * Adds examples and exit codes to the help of a command and of its subcommands; a group shows its
 * commands' examples.
 *
 * @param path the command as typed; empty for the program.
 */
export function addExamplesAndExitCodes(command: Command, path: string): void {
  const examples = Object.entries(examplesByCommand).flatMap(([key, commandExamples]) =>
    key === path || (path !== '' && key.startsWith(`${path} `)) ? commandExamples : [],
  );
  const lines = [
    '',
    'Examples:',
    ...examples.map((each) => `  castellan ${each}`),
    '',
    'Exit codes:',
  ];
  command.addHelpText(
    'after',
    [...lines, ...(exitCodesByCommand[path] ?? defaultExitCodes).map((each) => `  ${each}`)].join(
      '\n',
    ),
  );
  if (path !== '')
    for (const each of command.commands) addExamplesAndExitCodes(each, `${path} ${each.name()}`);
}

/**
 * Examples of every command after `castellan`: a test parses each with the command's own options.
 */
export const examplesByCommand: Readonly<Record<string, readonly string[]>> = {
  '': ['init app-with-sign-in --name shop', 'check', 'explain group-two-owners'],
  init: ['init app-with-sign-in --name shop', 'init typescript --directory shop'],
  check: [
    'check',
    'check -e prod --format sarif=castellan.sarif --format text',
    'check --base origin/main',
    'check --changed --base origin/main',
  ],
  fix: ['fix --dry-run', 'fix --rule property-unknown'],
  explain: ['explain group-mail-nickname', 'explain castellan.yaml:12'],
  'rules list': ['rules list'],
  'suppress add': [
    'suppress add auth-public-app@containerApps.shop --reason "a demo" --owner ada --until 2027-01-31',
  ],
  'suppress list': ['suppress list'],
  'suppress prune': ['suppress prune', 'suppress prune -e prod'],
  'baseline write': ['baseline write'],
  'baseline prune': ['baseline prune'],
  test: ['test'],
  schema: ['schema --out castellan.schema.json', 'schema seed'],
  plan: [
    'plan',
    'plan --changed',
    'plan --access',
    'plan -e prod --out prod.plan',
    'plan --target azure',
  ],
  up: [
    'up',
    'up -e prod --auto-approve=prod',
    'up --plan prod.plan',
    'up --allow-destroy=fabric_eventhouse.clicks',
    'up --watch',
  ],
  down: ['down', 'down --all'],
  status: ['status', 'status -e prod --format json'],
  output: ['output', 'output containerApps.shop.url', 'output shop --format env'],
  environments: ['environments', 'environments --no-drift --format json'],
  diff: ['diff default prod', 'diff dev prod --exit-code'],
  logs: ['logs shop', 'logs shop --follow --since 10m'],
  open: ['open shop'],
  dev: ['dev shop'],
  doctor: ['doctor', 'doctor --format json'],
  completion: ['completion bash > ~/.local/share/bash-completion/completions/castellan'],
  access: [
    'access --app shop --person ada@contoso.example --path /admin',
    'access --base origin/main --from people.yaml',
    'access --for-all --from none',
    'access rules --format json',
  ],
  snapshot: ['snapshot --out people.yaml --pseudonyms', 'snapshot --from live --out people.yaml'],
  lsp: ['lsp --stdio'],
  console: ['console'],
  synth: ['synth', 'synth --out cdktf.out -e prod'],
  sidecar: [
    'sidecar --config auth.yaml --config-test',
    'sidecar --config auth.json --upstream http://127.0.0.1:8080 --listen :8443',
  ],
  'sidecar sessions list': ['sidecar sessions list --admin http://127.0.0.1:9090'],
  'sidecar sessions end': [
    'sidecar sessions end --subject 1b3c2f7d --issuer https://login.example',
    'sidecar sessions end --all',
  ],
  'sandbox start': ['sandbox start --seed seed.yaml', 'sandbox start --record calls.har'],
  'sandbox stop': ['sandbox stop', 'sandbox stop -e prod'],
  'sandbox status': ['sandbox status --format json'],
  'sandbox reset': ['sandbox reset'],
  'sandbox clock': ['sandbox clock', 'sandbox clock +31d', 'sandbox clock resume'],
  'sandbox faults': [
    'sandbox faults consistency',
    'sandbox faults --file faults.yaml',
    'sandbox faults list',
    'sandbox faults off',
  ],
  'sandbox record': ['sandbox record calls.har', 'sandbox record', 'sandbox record off'],
  'sandbox replay': ['sandbox replay calls.har --port 7444', 'sandbox replay calls.har --plain'],
  'sandbox save': ['sandbox save before-migration'],
  'sandbox restore': ['sandbox restore before-migration'],
  'sandbox list': ['sandbox list'],
  'sandbox fork': ['sandbox fork trial --port 7443'],
  'sandbox env': ['sandbox env', 'sandbox env --providers official'],
  'sandbox seed': ['sandbox seed seed.yaml', 'sandbox seed --person ada@contoso.example'],
  graph: ['graph castellan.yaml'],
  'adopt all': ['adopt --state terraform.tfstate --out castellan.yaml'],
  'adopt groups': ['adopt groups --sandbox --out castellan.yaml'],
  'billing transactions': ['billing transactions --account 123 --invoice H1-ABC123 --format csv'],
  'billing summary': ['billing summary --account 123 --invoice H1-ABC123'],
  'directory groups list': ['directory groups --sandbox'],
  'directory groups show': ['directory groups show shop-users --sandbox'],
  'directory groups members': ['directory groups members shop-users'],
  'directory groups owners': ['directory groups owners shop-users'],
  'directory groups deleted': ['directory groups deleted'],
  'directory auth-methods': ['directory auth-methods ada@contoso.example --sandbox'],
  serve: ['serve directory items --listen 127.0.0.1:8080 --no-auth --seed seed.yaml'],
  'provider install': ['provider install'],
  'provider path': ['provider path'],
  'provider types': ['provider types'],
  'provider uninstall': ['provider uninstall'],
};
