import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-ill-typed-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const configPath = (): string => join(folder, 'castellan.yaml');
const declare = (text: string): void =>
  writeFileSync(configPath(), `version: 1\nstack: shop\n${text}`);

interface FoundMistake {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
}

async function findings(): Promise<readonly FoundMistake[]> {
  const { stdout } = await runCli(['check', '--format', 'json'], { cwd: folder });
  return (JSON.parse(stdout) as { findings: FoundMistake[] }).findings;
}

/** The errors of a check, by rule and message. */
async function errors(): Promise<readonly string[]> {
  return (await findings())
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe('a declaration with a value of a wrong type', () => {
  it('can be referred to', async () => {
    declare(`workspaces: { w: { displayName: W } }
eventhouses: { store: { workspace: w, displayName: store, minimumConsumptionUnits: "2.25" } }
eventstreams:
  e:
    workspace: w
    displayName: e
    definition: { sources: [{ name: web, type: CustomEndpoint }], destinations: [{ name: store, type: Eventhouse, eventhouse: store, inputNodes: [web] }] }
registrations: { login: { displayName: 5 } }
containerApps:
  shop:
    image: x@sha256:${'0'.repeat(64)}
    targetPort: 80
    ingress: { external: true }
    auth: { providers: { directory: { registration: login } } }
`);
    expect(await errors()).toEqual([
      'property-type: minimumConsumptionUnits must be a number, not "2.25"',
      'property-type: displayName must be text, not 5',
    ]);
  });

  it('becomes text by `castellan fix` as it is written', async () => {
    declare(`groups:
  a: { kind: security, displayName: 007, description: 1e3 }
  b: { kind: security, displayName: 12345678901234567890, description: True }
`);
    await runCli(['fix'], { cwd: folder });
    expect(readFileSync(configPath(), 'utf8')).toContain(`groups:
  a: { kind: security, displayName: "007", description: "1e3" }
  b: { kind: security, displayName: "12345678901234567890", description: "True" }
`);
  });

  it('has its own references checked, with the closest name', async () => {
    declare(`registrations: { shop-login: { displayName: L } }
containerApps:
  shop:
    image: x@sha256:${'0'.repeat(64)}
    replicas: { min: "1" }
    auth: { providers: { directory: { registration: shop-logn, allowedGroups: [5] } } }
`);
    expect(await errors()).toEqual([
      'auth-external-ingress: the app has auth, but is not reached from outside: write ingress: { external: true }',
      'property-type: min must be an integer, not "1"',
      'reference-exists: there is no registration "shop-logn"; did you mean "shop-login"?',
      'property-type: each entry of allowedGroups must be text, not 5',
    ]);
  });
});

describe('the rest of a declaration with a value of a wrong type', () => {
  it('is judged by every rule that does not read the value', async () => {
    declare(`groups:
  a: { kind: security, displayName: A, mailNickname: "bad nick", securityEnabled: "yes", owners: [5] }
registrations:
  login: { displayName: 5, redirectUris: ["http://example.com/"] }
containerApps:
  shop:
    image: x@sha256:${'0'.repeat(64)}
    targetPort: "80"
    ingress: { external: true }
    replicas: 3
    auth: { providers: { codehost: { clientId: a, clientSecret: "${'${env:SECRET}'}" } }, excludedPaths: [a] }
`);
    const rules = (await findings()).map(({ ruleId }) => ruleId);
    expect(rules).toEqual(
      expect.arrayContaining([
        'property-type',
        'group-mail-nickname',
        'registration-redirect-uris',
      ]),
    );
    expect(rules).not.toContain('app-replicas');
  });

  it('is judged without any rule that crashes, whatever is of a wrong type', async () => {
    const values = ['5', '"x"', '[5]', '[[]]', '{ a: 5 }', 'true'];
    for (const value of values) {
      declare(`groups: { g: { kind: ${value}, displayName: ${value}, owners: ${value}, members: ${value}, dynamicMembership: ${value}, settings: ${value} } }
registrations: { r: { displayName: ${value}, redirectUris: ${value}, appRoles: ${value}, secret: ${value} } }
containerApps: { c: { image: ${value}, targetPort: ${value}, ingress: ${value}, auth: ${value}, secrets: ${value}, env: ${value}, probes: ${value}, traffic: ${value} } }
eventhouses: { h: { workspace: ${value}, displayName: ${value} } }
eventstreams: { s: { workspace: ${value}, definition: ${value} } }
workspaces: { w: { displayName: ${value}, roles: ${value} } }
`);
      const { exitCode, stderr } = await runCli(['check'], { cwd: folder });
      expect({ value, exitCode, stderr }).toEqual({ value, exitCode: 1, stderr: '' });
    }
  });
});

describe('castellan fix', () => {
  it('corrects what is misspelt inside a membership rule and an input node that is its name alone', async () => {
    declare(`groups:
  a:
    kind: security
    displayName: A
    mailNickname: a
    dynamicMembership: { rule: 'user.departmnt -eqq "Retail"' }
workspaces: { w: { displayName: W, capacityId: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60 } }
eventhouses: { store: { workspace: w, displayName: store } }
eventstreams:
  e:
    workspace: w
    displayName: e
    definition: { sources: [{ name: web, type: CustomEndpoint }], destinations: [{ name: store, type: Eventhouse, eventhouse: store, inputNodes: [wb] }] }
`);
    expect((await runCli(['fix', '--unsafe'], { cwd: folder })).stdout).toContain(
      'fixed 3; 0 left',
    );
    const text = readFileSync(configPath(), 'utf8');
    expect(text).toContain(`dynamicMembership: { rule: 'user.department -eq "Retail"' }`);
    expect(text).toContain('inputNodes: [web]');
  });
});

describe('a misspelt name in ${castellan.…}', () => {
  it('is one finding, which says what was meant', async () => {
    declare(
      'backend: { azurerm: { storageAccountName: states, containerName: states, key: "${castellan.enviroment}.tfstate" } }\n',
    );
    writeFileSync(join(folder, 'castellan.prod.yaml'), 'protected: true\n');
    expect(await errors()).toEqual([
      'config-reference: ${castellan.enviroment} is no reference; did you mean ${castellan.environment}?',
    ]);
  });
});
