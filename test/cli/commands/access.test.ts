import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

const config = `version: 1
stack: shop
principals:
  ada: { user: ada@contoso.example }
registrations:
  login: { displayName: Sign-in }
containerApps:
  storefront:
    image: ghcr.io/contoso/storefront@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth:
      redirectTo: directory
      excludedPaths: [/healthz]
      providers:
        directory: { registration: login, allowedGroups: [shoppers] }
        codehost: { clientId: Iv1, clientSecret: "\${env:CODEHOST_SECRET}" }
groups:
  shoppers: { kind: security, displayName: Shoppers, owners: [ada], dynamicMembership: { rule: 'user.department -eq "Retail"' } }
`;

const seed = `users:
  - { id: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, userPrincipalName: ada@contoso.example, displayName: Ada, department: Retail }
  - { id: 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071, userPrincipalName: grace@contoso.example, displayName: Grace, department: Operations }
`;

function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-access-'));
  writeFileSync(join(folder, 'castellan.yaml'), config);
  writeFileSync(join(folder, 'seed.yaml'), seed);
  return folder;
}

test('castellan access prints numbers first, and names when asked', async () => {
  const cwd = project();
  const { stdout, exitCode } = await runCli(['access'], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    'storefront\n  public: /healthz\n  anyone with an account at codehost\n  by the directory: 1 person\n    group shoppers: 1 person\n',
  );
  expect((await runCli(['access', 'storefront', '--people'], { cwd })).stdout).toContain(
    '    ada@contoso.example\n',
  );
});

test('apps of a stack without the overlay of an environment are none of its apps', async () => {
  const cwd = project();
  writeFileSync(join(cwd, 'castellan.prod.yaml'), 'version: 1\n');
  mkdirSync(join(cwd, 'other'));
  const other = config.replace('stack: shop', 'stack: other').replace('storefront:', 'till:');
  writeFileSync(join(cwd, 'other/castellan.yaml'), other);
  const { stdout, stderr } = await runCli(['access', '-e', 'prod', '--from', 'seed.yaml'], { cwd });
  expect(stdout).toContain('storefront\n');
  expect(stdout).not.toContain('till');
  expect(stderr).toContain('other/castellan.yaml is left out: ');
});

test('accounts elsewhere that rules limit are not anyone', async () => {
  const cwd = project();
  const staff =
    '        openIdConnect: { staff: { clientId: x, clientSecret: "${env:S}", wellKnownConfiguration: "https://staff.example/.well-known/openid-configuration", allowedGroups: [crew] } }\n';
  writeFileSync(join(cwd, 'castellan.yaml'), config.replace('groups:\n', `${staff}groups:\n`));
  const who = 'those with an account at staff whom allowedGroups and requiredClaims let in';
  expect((await runCli(['access'], { cwd })).stdout).toContain(`\n  ${who}\n`);
  const chain = await runCli(['access', '--person', 'grace@contoso.example'], { cwd });
  expect(chain.stdout).toContain(`staff: ${who}\n`);
});

test('an app has its domains beside its name, and is found by them', async () => {
  const cwd = project();
  const domain = "    customDomains: { 'shop.contoso.example': {} }\n    auth:\n";
  writeFileSync(join(cwd, 'castellan.yaml'), config.replace('    auth:\n', domain));
  const { stdout } = await runCli(['access', 'shop.contoso.example'], { cwd });
  expect(stdout).toMatch(/^storefront\n {2}also at shop\.contoso\.example\n/);
  const { stdout: json } = await runCli(['access', '--json'], { cwd });
  expect(JSON.parse(json)).toMatchObject({ apps: [{ domains: ['shop.contoso.example'] }] });
});

test('the JSON without a person has public paths, apps that need no entry, and the people', async () => {
  const { stdout } = await runCli(['access', 'castellan.yaml', '--format', 'json'], {
    cwd: project(),
  });
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    apps: [
      {
        app: 'storefront',
        public: ['/healthz'],
        anyone: ['codehost'],
        people: [{ person: 'ada@contoso.example', provider: 'directory' }],
        counts: { people: 1, guests: 0, groups: 1 },
      },
    ],
  });
});

test('the JSON for a person has the answer, the status and the chain', async () => {
  const { stdout } = await runCli(
    ['access', '--app', 'storefront', '--person', 'ada', '--path', '/admin', '--format', 'json'],
    {
      cwd: project(),
    },
  );
  const { chain, ...answer } = JSON.parse(stdout) as { chain: object[] };
  expect(answer).toEqual({
    version: 1,
    app: 'storefront',
    person: 'ada@contoso.example',
    path: '/admin',
    allowed: true,
    status: 200,
  });
  expect(chain).toContainEqual({
    kind: 'group',
    name: 'shoppers',
    value: 'member by its rule',
    verdict: 'pass',
  });
});

test('people come from the seed file that is named', async () => {
  const cwd = project();
  writeFileSync(join(cwd, 'others.yaml'), seed.replace('Operations', 'Retail'));
  const { stdout } = await runCli(['access', '--from', 'others.yaml'], { cwd });
  expect(stdout).toContain('by the directory: 2 people');
});

test('lists everything that a person reaches', async () => {
  const { stdout } = await runCli(
    ['access', '--reverse', '--person', 'grace', '--path', '/healthz'],
    { cwd: project() },
  );
  expect(stdout).toContain('storefront/healthz: yes');
  expect(stdout).toContain('1 of 1 apps');
});

test.each([
  [
    ['--person', 'Grac'],
    'CAS8301',
    'no person "Grac" in the seed of the sandbox, did you mean "Grace"?',
  ],
  [['--app', 'storefrond'], 'CAS8303', 'there is no app "storefrond", did you mean "storefront"?'],
  [
    ['--from', 'nowhere.yaml'],
    'CAS8302',
    'nowhere.yaml is not a file: --from is sandbox, live, none or a seed file',
  ],
  [
    ['--format', 'xml'],
    'CAS8001',
    '--format xml does not exist. Formats: text, json, markdown, mermaid',
  ],
  [['--reverse'], 'CAS8001', '--reverse lists what a person reaches: give --person, too'],
])('castellan access %j ends with %s', async (args, code, message) => {
  const { stderr, exitCode } = await runCli(['access', ...args], { cwd: project() });
  expect(stderr).toContain(`${code} `);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});
