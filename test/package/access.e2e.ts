import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderWithCastellan, quietNpm } from '../support/installed-package.js';

const config = `version: 1
stack: campus
principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
registrations:
  campus-login: { displayName: Campus sign-in, owners: [grace, ada] }
containerApps:
  intranet:
    image: ghcr.io/contoso/intranet:2.0.0
    targetPort: 8080
    ingress: { external: true }
    auth: { providers: { directory: { registration: campus-login, allowedGroups: [Staff] } } }
  docs:
    image: ghcr.io/contoso/docs:2.0.0
    targetPort: 8080
    ingress: { external: true }
    auth:
      excludedPaths: [/healthz, "/public/*"]
      unauthenticatedAction: return401
      providers: { directory: { registration: campus-login } }
  community:
    image: ghcr.io/contoso/community:2.0.0
    targetPort: 8080
    ingress: { external: true }
    auth:
      redirectTo: social
      providers:
        social: { appId: "1234", appSecret: "\${env:SOCIAL_SECRET}" }
        personal: { clientId: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f61, clientSecret: "\${env:PERSONAL_SECRET}", scopes: [wl.basic] }
groups:
  Staff: { kind: security, displayName: Staff, owners: [grace, ada], members: [teachers] }
  teachers: { kind: security, displayName: Teachers, owners: [grace, ada], dynamicMembership: { rule: 'user.department -eq "Teaching"' } }
`;
const people = `users:
  - { userPrincipalName: ada@contoso.example, displayName: Ada, department: Teaching }
  - { userPrincipalName: grace@contoso.example, displayName: Grace, department: Operations }
  - { userPrincipalName: joan@partner.example, displayName: Joan, department: Teaching, userType: Guest }
  - { userPrincipalName: mary@contoso.example, displayName: Mary, department: Teaching, accountEnabled: false }
`;
const expectations = (atMost: number): string => `from: people.yaml
tests:
  - { app: intranet, path: /admin, person: ada, expect: allowed }
  - { app: docs, anonymous: true, path: /healthz, expect: allowed }
  - { group: teachers, expect: { at most: ${String(atMost)} } }
  - { app: intranet, only: [Staff] }
`;

let command: string;
const project = mkdtempSync(join(tmpdir(), 'castellan-who-gets-in-'));
const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

beforeAll(async () => {
  command = join(await folderWithCastellan(), 'node_modules/.bin/castellan');
  write('castellan.yaml', config);
  write('people.yaml', people);
  write('castellan.access-test.yaml', expectations(500));
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: project,
      stdio: 'ignore',
    });
  git('init', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--message', 'Three apps');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs the installed command in the project. */
function run(...args: string[]): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  return new Promise((done) => {
    execFile(
      command,
      args,
      { cwd: project, env: { ...process.env, ...quietNpm, CI: '1' } },
      (error, stdout) => done({ exitCode: error === null ? 0 : Number(error.code), stdout }),
    );
  });
}
const access = (...args: string[]) => run('access', '--from', 'people.yaml', ...args);
const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await access('--format', 'json', ...args)).stdout);

describe('who gets into three apps, from the packed package in an empty folder', () => {
  it.each([
    ['intranet', 'ada', '/admin', true, 200, 'Staff: holds teachers'],
    ['intranet', 'grace', '/', false, 403, '(user.department is "Operations")'],
    ['intranet', 'mary', '/', false, 302, 'the account mary@contoso.example is disabled'],
    ['docs', 'grace', '/guide', true, 200, 'return401: signed in'],
    ['community', 'ada', '/', 'unknown', null, 'anyone with an account at personal'],
    ['docs', 'nobody', '/public/a', true, 200, 'excluded from sign-in (/healthz, /public/*)'],
    ['docs', 'nobody', '/guide', false, 401, 'a request without a session gets 401'],
    ['community', 'nobody', '/', false, 302, 'a request without a session gets 302'],
  ])('%s answers %s at %s', async (app, person, path, allowed, status, why) => {
    const who = person === 'nobody' ? ['--anonymous'] : ['--person', person];
    const { chain, ...answer } = (await json(
      'castellan.yaml',
      '--app',
      app,
      ...who,
      '--path',
      path,
    )) as { chain: object[] };
    const name =
      person === 'nobody' ? { anonymous: true } : { person: `${person}@contoso.example` };
    expect(answer).toEqual({ version: 1, app, ...name, path, allowed, status });
    for (const link of chain)
      expect(Object.keys(link).sort()).toEqual(['kind', 'name', 'value', 'verdict']);
    const { stdout, exitCode } = await access(app, ...who, '--path', path);
    expect({ stdout, exitCode }).toEqual({
      stdout: expect.stringContaining(why) as string,
      exitCode: 0,
    });
  });

  it('names what is public, the apps that need no entry in the directory, and the people of each app', async () => {
    const peopleOf = (...names: string[]): object[] =>
      names.map((person) => ({ person, provider: 'directory' }));
    expect(await json()).toMatchObject({
      version: 1,
      apps: [
        {
          app: 'intranet',
          public: [],
          anyone: [],
          people: peopleOf('ada@contoso.example', 'joan@partner.example'),
          counts: { people: 2, guests: 1, groups: 1 },
        },
        {
          app: 'docs',
          public: ['/healthz', '/public/*'],
          anyone: [],
          counts: { people: 3, guests: 1, groups: 0 },
        },
        {
          app: 'community',
          public: [],
          anyone: ['personal', 'social'],
          people: [],
          counts: { people: 0, guests: 0, groups: 0 },
        },
      ],
    });
  });

  it('lists what a person reaches, and who can let others in', async () => {
    expect((await access('--reverse', '--person', 'grace')).stdout).toMatch(
      /^docs\/: yes[^]*community\/: it depends[^]*2 of 3 apps\n$/,
    );
    const { stdout } = await access('intranet', '--controllers');
    expect(stdout).toContain('can let others in: ada@contoso.example (owner of Staff)\n');
    expect(stdout).toContain(
      'can let others in: grace@contoso.example (owner of the registration campus-login)\n',
    );
  });

  it('compares with a commit, and ends as a check does', async () => {
    write(
      'castellan.yaml',
      config.replace('-eq "Teaching"', '-ne "Sales"').replace('[/healthz, ', '[/status, '),
    );
    const { stdout, exitCode } = await access('--base', 'main', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      apps: [
        {
          app: 'intranet',
          gained: [{ person: 'grace@contoso.example' }],
          lost: [],
          publicGained: [],
          publicLost: [],
        },
        { app: 'docs', gained: [], lost: [], publicGained: ['/status'], publicLost: ['/healthz'] },
        { app: 'community', gained: [], lost: [], publicGained: [], publicLost: [] },
      ],
    });
    expect(exitCode).toBe(1);
    write('castellan.yaml', config);
    expect(await access('--base', 'main')).toEqual({
      stdout: 'no one gains or loses access, compared with main (proved for all possible people)\n',
      exitCode: 0,
    });
  });

  it('checks the expectations of a file in `test` and in `check`', async () => {
    expect(await run('test')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1 file, 4 passed, 0 failed') as string,
    });
    expect(await run('check')).toMatchObject({ exitCode: 0 });
    write('castellan.access-test.yaml', expectations(1));
    for (const name of ['test', 'check']) {
      const { stdout, exitCode } = await run(name);
      expect(stdout).toContain('the group teachers has 3 people, expected at most 1');
      expect(exitCode).toBe(1);
    }
    write('castellan.access-test.yaml', expectations(500));
  });

  it('refuses an incomplete list of people, with the place', async () => {
    write('cut.yaml', readFileSync(join(project, 'people.yaml'), 'utf8').slice(0, 150));
    expect(await access('--from', 'cut.yaml')).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
