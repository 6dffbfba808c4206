import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-commands-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const run = (...args: string[]) => runCli(args, { cwd: folder });
const shop = `version: 1 # the contract
stack: shop
containerApps:
  web: # the shop window
    image: web:1
    targetPort: 80
    ingress: { external: true, allowInsecure: true } # reached by everyone
    auth: { redirectTo: codehst, providers: { codehost: { clientId: a, clientSecret: "\${env:S}" } } }
`;
const open = 'version: 1\nstack: shop\ncontainerApps:\n  web: { image: "web:1", targetPort: 80, ingress: { external: true } }\n';

describe('castellan fix', () => {
  it('corrects what has a fix and keeps comments and layout', async () => {
    write('castellan.yaml', shop);
    const { exitCode, stdout } = await run('fix');
    expect(read('castellan.yaml')).toBe(shop.replace('allowInsecure: true', 'allowInsecure: false').replace('codehst', 'codehost'));
    expect([exitCode, stdout]).toEqual([
      0,
      'castellan.yaml:7 auth-allow-insecure: write allowInsecure: false\ncastellan.yaml:8 auth-redirect-target: write codehost\nfixed 2; 0 left\n',
    ]);
  });

  it('says what is left, and what is not there', async () => {
    write('castellan.yaml', 'version: 1\nstack: shop\ngroups:\n  b: { kind: unified, displayName: B, mailNickname: "x y" }\n');
    const { exitCode, stdout } = await run('fix');
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(/^castellan\.yaml:4:53 group-mail-nickname: .* \(left for you\)\nfixed 0; 1 left\n$/),
    ]);
    expect(await run('fix', 'nowhere')).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('nowhere does not exist') as string });
  });

  it('shows the changes and writes nothing with --dry-run', async () => {
    write('castellan.yaml', shop);
    const { stdout } = await run('fix', '--dry-run');
    expect(read('castellan.yaml')).toBe(shop);
    expect(stdout).toContain(
      '7 - ' +
        '    ingress: { external: true, allowInsecure: true } # reached by everyone\n7 + ' +
        '    ingress: { external: true, allowInsecure: false } # reached by everyone',
    );
    expect(stdout).toContain('would fix 2; 0 left');
  });
});

describe('castellan explain', () => {
  it('prints the page of a rule', async () => {
    const { exitCode, stdout } = await run('explain', 'group-mail-nickname');
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, '# group-mail-nickname']);
  });

  it('shows where a finding comes from and the smallest passing edit', async () => {
    write('castellan.yaml', shop);
    const { stdout } = await run('explain', 'castellan.yaml:7');
    expect(stdout).toContain('what   containerApps > web > ingress > allowInsecure');
    expect(stdout).toContain('smallest passing edit: write allowInsecure: false\n7 - ');
  });

  it('asks back when it does not know what is meant', async () => {
    write('castellan.yaml', open);
    const { exitCode, stderr } = await run('explain', 'group-mail-nickame');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('did you mean "group-mail-nickname"?')]);
  });
});

describe('castellan explain, of a finding without one right edit', () => {
  it('is found by rule and path, and shows what passes', async () => {
    write('castellan.yaml', 'version: 1\nstack: shop\ngroups:\n  b: { kind: unified, displayName: B, mailNickname: "x y" }\n');
    const { exitCode, stdout } = await run('explain', 'group-mail-nickname@groups.b');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('which edit is right is for you to say; this passes:\n\n  version: 1\n'),
    ]);
  });
});

describe('castellan rules list', () => {
  it('lists the catalogue and own rules with the severity that the policy gives them', async () => {
    write('own.schema.json', '{ "title": "Own.", "type": "object" }');
    write(
      'castellan.policy.yaml',
      'version: 1\npacks: [{ file: own.schema.json, section: groups }]\nrules: { group-theme: off, group-kind: info }\n',
    );
    const { stdout } = await run('rules', 'list');
    expect(stdout).toMatch(/^group-theme +off +A theme is/m);
    expect(stdout).toMatch(/^group-kind +info +/m);
    expect(stdout).toMatch(/^own +error +Own\.$/m);
    const { rules } = JSON.parse((await run('rules', 'list', '--format', 'json')).stdout) as { rules: { id: string; severity: string }[] };
    expect(rules).toContainEqual(expect.objectContaining({ id: 'group-theme', severity: 'off' }));
    expect((await run('explain', 'own')).stdout).toContain('# own\n\nOwn.\n');
  });
});

describe('castellan suppress', () => {
  const flags = ['--reason', 'a public shop', '--owner', 'web', '--until', '2999-12-31'];

  it('accepts a finding, lists it, and prunes it when it is gone', async () => {
    write('castellan.yaml', open);
    write('castellan.policy.yaml', '# ours\nversion: 1\n');
    expect((await run('check')).exitCode).toBe(1);
    expect((await run('suppress', 'add', 'auth-public-app@containerApps.web', '.', ...flags)).exitCode).toBe(0);
    expect(read('castellan.policy.yaml')).toContain('# ours\n');
    expect((await run('check')).stdout).toContain('1 suppressed');
    expect((await run('suppress', 'list')).stdout).toContain(
      'auth-public-app used containerApps.web.ingress.external "a public shop" owner=web until=2999-12-31',
    );
    write('castellan.yaml', open.replace('external: true', 'external: false'));
    expect((await run('check')).stdout).toContain('suppression-unused');
    expect((await run('suppress', 'prune')).stdout).toBe('1 removed\n');
    expect((await run('check')).exitCode).toBe(0);
    expect(read('castellan.policy.yaml')).toBe('# ours\nversion: 1\n');
  });

  it('prunes comments without touching what they stand beside', async () => {
    const comment = '# castellan-ignore auth-public-app reason="x" owner=web until=2020-01-01';
    write('castellan.yaml', open.replace('external: true } }', `external: false } } ${comment}`));
    await run('suppress', 'prune');
    expect(read('castellan.yaml')).toBe(open.replace('external: true', 'external: false'));
  });

  it('refuses a finding that is not there', async () => {
    write('castellan.yaml', open);
    expect(await run('suppress', 'add', 'group-theme@groups.x', '.', ...flags)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('CAS7005') as string,
    });
  });
});

describe('castellan suppress add', () => {
  const flags = (more: Record<string, string> = {}) =>
    Object.entries({ reason: 'x', owner: 'y', until: '2999-12-31', ...more }).flatMap(([name, value]) => [`--${name}`, value]);
  const add = (what: string, more?: Record<string, string>) => run('suppress', 'add', what, ...flags(more));

  it('takes a path for itself, not for the beginning of another one', async () => {
    write('castellan.yaml', open.replace('  web:', '  web2:'));
    expect(await add('auth-public-app@containerApps.web')).toMatchObject({ exitCode: 2 });
    expect(await add('auth-public-app@containerApps.web2')).toMatchObject({ exitCode: 0 });
    expect(await add('auth-public-app@containerApps.web2')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is accepted already') as string,
    });
  });

  it('names the stack where there are several, and an item of a list by its fingerprint', async () => {
    mkdirSync(join(folder, 'b'));
    write('castellan.yaml', open);
    write('b/castellan.yaml', open.replace('stack: shop', 'stack: other').replace('external: true', 'external: false'));
    await add('auth-public-app@containerApps.web');
    expect(read('castellan.policy.yaml')).toContain('path: containerApps.web.ingress.external\n    value: true\n    stack: shop\n');
    write('b/castellan.yaml', 'version: 1\nstack: other\nregistrations:\n  r: { displayName: R, redirectUris: ["http://a.example/x"] }\n');
    await add('registration-redirect-uris@registrations.r');
    expect(read('castellan.policy.yaml')).toMatch(/rule: registration-redirect-uris\n {4}fingerprint: "?[0-9a-f]{16}"?\n {4}value: http:/);
    expect((await run('check')).exitCode).toBe(0);
  });

  it.each([
    [{ reason: ' ' }, '--reason is empty'],
    [{ owner: '' }, '--owner is empty'],
    [{ until: '2999-02-30' }, '--until 2999-02-30 is no day'],
    [{ until: '2020-01-01' }, '--until 2020-01-01 is over already'],
  ])('refuses %j', async (more, message) => {
    write('castellan.yaml', open);
    const { exitCode, stderr } = await add('auth-public-app@containerApps.web', more);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(folder, 'castellan.policy.yaml'))).toBe(false);
  });

  it('refuses what is wrong with a file, and a policy with mistakes', async () => {
    write('castellan.yaml', `${open}include: [nothing.yaml]\n`);
    expect((await add('config-include@')).stderr).toContain('CAS7005');
    write('castellan.yaml', open);
    write('castellan.policy.yaml', 'version: 2\n');
    expect((await add('auth-public-app@containerApps.web')).stderr).toContain('correct castellan.policy.yaml first');
  });
});

describe('castellan baseline', () => {
  const entry = { fingerprint: '0123456789abcdef', path: 'groups.g', message: 'x' };
  const rulesLeft = () =>
    (JSON.parse(read('castellan.baseline.json')) as { findings: { ruleId: string }[] }).findings.map(({ ruleId }) => ruleId);

  it.each(['write', 'prune'])('keeps on %s what nobody looked at: live things, plans, other files', async (command) => {
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    write('other.yaml', '');
    const known = [
      { ...entry, ruleId: 'live-group-drift', file: 'castellan.yaml' },
      { ...entry, ruleId: 'plan-loses-data', file: '' },
      { ...entry, ruleId: 'group-theme', file: 'other.yaml' },
      { ...entry, ruleId: 'group-theme', file: 'castellan.yaml' },
      { ...entry, ruleId: 'group-theme', file: 'gone.yaml' },
    ];
    write('castellan.baseline.json', JSON.stringify({ version: 1, findings: known }));
    expect((await run('baseline', command)).exitCode).toBe(0);
    expect(rulesLeft()).toEqual(['live-group-drift', 'plan-loses-data', 'group-theme']);
  });

  it('takes plans in, and lets go of them when they are looked at again', async () => {
    const change = { actions: ['delete'], before: {}, after: null };
    const resource = { address: 'azuread_group.g', mode: 'managed', type: 'azuread_group', name: 'g', change };
    write('plan.json', JSON.stringify({ format_version: '1.2', resource_changes: [resource] }));
    expect(await run('check', '--plan', 'plan.json')).toMatchObject({ exitCode: 1 });
    expect(await run('baseline', 'write', '--plan', 'plan.json')).toMatchObject({ exitCode: 0 });
    expect(await run('check', '--plan', 'plan.json')).toMatchObject({ exitCode: 0 });
    write('plan.json', JSON.stringify({ format_version: '1.2', resource_changes: [{ ...resource, change: { actions: ['no-op'] } }] }));
    expect(await run('check', '--plan', 'plan.json')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('baseline-stale') as string,
    });
    expect((await run('baseline', 'prune', '--plan', 'plan.json')).stdout).toContain('1 pruned, 0 left');
  });

  it('is not written where a file cannot be read, nor pruned where there is none', async () => {
    write('castellan.yaml', `${open}\tx`);
    expect(await run('baseline', 'write')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('castellan.yaml:5:1') as string });
    write('castellan.yaml', open);
    expect(await run('baseline', 'prune')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('does not exist') as string });
    write('castellan.baseline.json', '{');
    expect(await run('baseline', 'prune')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("can't be read") as string });
    rmSync(join(folder, 'castellan.yaml'));
    rmSync(join(folder, 'castellan.baseline.json'));
    expect(await run('baseline', 'write')).toMatchObject({ exitCode: 4 });
  });

  it('accepts what is there, fails when it is gone, and lets go of it', async () => {
    write('castellan.yaml', open);
    expect((await run('baseline', 'write')).stdout).toBe('castellan.baseline.json: 1 findings\n');
    expect((await run('check')).stdout).toContain('1 in the baseline');
    write('castellan.yaml', open.replace('external: true', 'external: false'));
    expect(await run('check')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('baseline-stale') as string });
    expect((await run('baseline', 'prune')).stdout).toBe('castellan.baseline.json: 1 pruned, 0 left\n');
    expect((await run('check')).exitCode).toBe(0);
  });
});

describe('castellan rules list', () => {
  it('lists every rule, also for programs', async () => {
    const { stdout } = await run('rules', 'list', '--format', 'json');
    const { rules } = JSON.parse(stdout) as { rules: { id: string }[] };
    expect(rules.map(({ id }) => id)).toContain('eventhouse-consumption-units');
    expect((await run('rules', 'list')).stdout.split('\n').length - 1).toBe(rules.length);
  });
});

describe('castellan test', () => {
  it('runs the cases of policy tests', async () => {
    write('castellan.policy.yaml', 'version: 1\nrules: { group-two-owners: error }\n');
    write(
      'groups.policy-test.yaml',
      'version: 1\ncases:\n  - name: lonely\n    config: { groups: { a: { kind: security, displayName: A } } }\n    expect: [group-two-owners]\n  - name: wrong\n    config: { groups: { a: { kind: security, displayName: A } } }\n    expect: []\n',
    );
    const { exitCode, stdout } = await run('test');
    expect([exitCode, stdout.split('\n')[0], stdout.includes('group-two-owners was not expected')]).toEqual([
      1,
      'ok      groups.policy-test.yaml: lonely',
      true,
    ]);
  });

  it('is not green without tests', async () => {
    expect(await run('test')).toMatchObject({ exitCode: 4, stderr: 'castellan: no policy tests: there is no *.policy-test.yaml in .\n' });
  });
});

describe('castellan schema', () => {
  it('prints the schema that editors use', async () => {
    const { stdout } = await run('schema');
    expect(JSON.parse(stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'castellan.yaml' });
  });
});
