import { existsSync, mkdirSync } from 'node:fs';
import { openAppConfig, useProject } from './support/project.js';

const { path, read, run, write } = useProject();

describe('castellan suppress', () => {
  const flags = ['--reason', 'a public shop', '--owner', 'web', '--until', '2999-12-31'];

  it('accepts a finding, lists it, and prunes its suppression when it no longer exists', async () => {
    write('castellan.yaml', openAppConfig);
    write('castellan.policy.yaml', '# ours\nversion: 1\n');
    expect((await run('check')).exitCode).toBe(1);
    expect(
      (await run('suppress', 'add', 'auth-public-app@containerApps.web', '.', ...flags)).exitCode,
    ).toBe(0);
    expect(read('castellan.policy.yaml')).toContain('# ours\n');
    expect((await run('check')).stdout).toContain('1 suppressed');
    expect((await run('suppress', 'list')).stdout).toContain(
      'auth-public-app used containerApps.web.ingress.external "a public shop" owner=web until=2999-12-31',
    );
    write('castellan.yaml', openAppConfig.replace('external: true', 'external: false'));
    expect((await run('check')).stdout).toContain('suppression-unused');
    expect((await run('suppress', 'prune')).stdout).toBe('1 removed\n');
    expect((await run('check')).exitCode).toBe(0);
    expect(read('castellan.policy.yaml')).toBe('# ours\nversion: 1\n');
  });

  it('prints the same as JSON', async () => {
    write('castellan.yaml', openAppConfig);
    const jsonResult = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await run('suppress', ...args)).stdout);
    const suppression = {
      rule: 'auth-public-app',
      path: 'containerApps.web.ingress.external',
      owner: 'web',
      until: '2999-12-31',
    };
    const file = 'castellan.policy.yaml';
    expect(
      await jsonResult('add', 'auth-public-app@containerApps.web', '.', ...flags, '--json'),
    ).toMatchObject({
      version: 1,
      file,
      suppression,
    });
    expect(await jsonResult('list', '--format', 'json')).toMatchObject({
      suppressions: [{ ...suppression, state: 'used' }],
    });
    expect(await jsonResult('prune', '--json')).toEqual({ version: 1, removed: 0 });
  });

  it('reports that there are none', async () => {
    write('castellan.yaml', openAppConfig);
    expect(await run('suppress', 'list')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'no suppressions\n',
    });
  });

  it('prunes comments without changing the rest of their lines', async () => {
    const comment = '# castellan-ignore auth-public-app reason="x" owner=web until=2020-01-01';
    write(
      'castellan.yaml',
      openAppConfig.replace('external: true } }', `external: false } } ${comment}`),
    );
    await run('suppress', 'prune');
    expect(read('castellan.yaml')).toBe(openAppConfig.replace('external: true', 'external: false'));
  });

  it('refuses an unknown finding', async () => {
    write('castellan.yaml', openAppConfig);
    expect(await run('suppress', 'add', 'group-theme@groups.x', '.', ...flags)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('CAS7005') as string,
    });
  });
});

describe('castellan suppress add', () => {
  const flags = (more: Record<string, string> = {}) =>
    Object.entries({ reason: 'x', owner: 'y', until: '2999-12-31', ...more }).flatMap(
      ([name, value]) => [`--${name}`, value],
    );
  const add = (finding: string, more?: Record<string, string>) =>
    run('suppress', 'add', finding, ...flags(more));

  it('repeats no value that looks like a secret', async () => {
    write(
      'castellan.yaml',
      'version: 1\nstack: s\ncontainerApps: { web: { image: i, env: { DB_PASSWORD: pa55 } } }\n',
    );
    expect(await add('app-secret-in-env@containerApps.web')).toMatchObject({ exitCode: 0 });
    expect(read('castellan.policy.yaml')).toMatch(
      /path: containerApps.web.env.DB_PASSWORD\n {4}reason/,
    );
  });

  it('takes a path as a whole, not as a prefix', async () => {
    write('castellan.yaml', openAppConfig.replace('  web:', '  web2:'));
    expect(await add('auth-public-app@containerApps.web')).toMatchObject({ exitCode: 2 });
    expect(await add('auth-public-app@containerApps.web2')).toMatchObject({ exitCode: 0 });
    expect(await add('auth-public-app@containerApps.web2')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is accepted already') as string,
    });
  });

  it('accepts nothing of a stack that was not among the named paths', async () => {
    for (const name of ['a', 'b']) {
      mkdirSync(path(name));
      write(`${name}/castellan.yaml`, openAppConfig.replace('stack: shop', `stack: ${name}`));
    }
    await run('suppress', 'add', 'auth-public-app@containerApps.web', 'a', ...flags());
    const { stdout } = await run('check');
    expect(stdout).toContain('b/castellan.yaml');
    expect(stdout).not.toContain('a/castellan.yaml');
  });

  it('names the stack if there are several, and uses the fingerprint of a list entry', async () => {
    mkdirSync(path('b'));
    write('castellan.yaml', openAppConfig);
    write(
      'b/castellan.yaml',
      openAppConfig
        .replace('stack: shop', 'stack: other')
        .replace('external: true', 'external: false'),
    );
    await add('auth-public-app@containerApps.web');
    expect(read('castellan.policy.yaml')).toContain(
      'path: containerApps.web.ingress.external\n    value: true\n    stack: shop\n',
    );
    write(
      'b/castellan.yaml',
      'version: 1\nstack: other\nregistrations:\n  r: { displayName: R, redirectUris: ["http://a.example/x"] }\n',
    );
    await add('registration-redirect-uris@registrations.r');
    expect(read('castellan.policy.yaml')).toMatch(
      /rule: registration-redirect-uris\n {4}fingerprint: "?[0-9a-f]{16}"?\n {4}value: http:/,
    );
    expect((await run('check')).exitCode).toBe(0);
  });

  it.each([
    [{ reason: ' ' }, '--reason is empty'],
    [{ owner: '' }, '--owner is empty'],
    [{ until: '2999-02-30' }, '--until 2999-02-30 is no day'],
    [{ until: '2020-01-01' }, '--until 2020-01-01 is over already'],
  ])('refuses %j', async (more, message) => {
    write('castellan.yaml', openAppConfig);
    const { exitCode, stderr } = await add('auth-public-app@containerApps.web', more);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(path('castellan.policy.yaml'))).toBe(false);
  });

  it('refuses an invalid file, and a policy with mistakes', async () => {
    write('castellan.yaml', `${openAppConfig}include: [nothing.yaml]\n`);
    expect((await add('config-include@')).stderr).toContain('CAS7005');
    write('castellan.yaml', openAppConfig);
    write('castellan.policy.yaml', 'version: 2\n');
    expect((await add('auth-public-app@containerApps.web')).stderr).toContain(
      'correct castellan.policy.yaml first',
    );
  });

  it.each(['list', 'prune'])('refuses %s while the policy has mistakes', async (command) => {
    write('castellan.yaml', openAppConfig);
    write('castellan.policy.yaml', 'version: 1\nsuppressions: nothing\n');
    const { exitCode, stderr } = await run('suppress', command);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('correct castellan.policy.yaml first: it has mistakes'),
    ]);
  });
});
