import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

describe('castellan baseline', () => {
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
