import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';

/** The storefront example in a folder of its own. */
const project = mkdtempSync(join(tmpdir(), 'castellan-access-'));
const config = join(project, 'castellan.yaml');
const original = readFileSync(join(root, 'examples/storefront/castellan.yaml'), 'utf8');
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });
/** Writes the storefront's configuration with replaced texts. */
const declare = (...replacements: readonly [string, string][]): void =>
  writeFileSync(
    config,
    replacements.reduce((text, [from, to]) => text.replace(from, to), original),
  );

beforeAll(async () => {
  declare();
  cpSync(join(root, 'examples/storefront/seed.yaml'), join(project, 'seed.yaml'));
  const { exitCode, stderr } = await run('up');
  if (exitCode !== 0) throw new Error(stderr);
});
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});
beforeEach(() => declare());

interface PlannedAccess {
  readonly access: { readonly base: string; readonly apps: readonly object[] };
}

describe('plan --access', () => {
  it('reports no change if there is none', async () => {
    const { stdout, exitCode } = await run('plan', '--access');
    expect(stdout).toBe(
      'storefront: no changes\n\nWho gets in:\nno one gains or loses access, compared with what is applied (proved for all possible people)\n',
    );
    expect(exitCode).toBe(0);
  });

  it('reports who gains and loses access by one word of a rule, also if the group is renamed', async () => {
    declare(
      ['department -eq', 'department -ne'],
      ['displayName: Shoppers', 'displayName: Customers'],
    );
    const { stdout, exitCode } = await run('plan', '--access');
    expect(stdout).toContain(`
Who gets in:
storefront
  new: ada@contoso.example, if department were not set (the rule of shoppers)
  lost: ada@contoso.example, if department were "Retail" (the rule of shoppers)
  + 1 person (grace@contoso.example): the rule of shoppers is now user.department -ne "Retail" (was user.department -eq "Retail")
  - 1 person (ada@contoso.example): the rule of shoppers is now user.department -ne "Retail" (was user.department -eq "Retail")
`);
    expect(exitCode).toBe(0);
  });

  it('compares public paths, providers and new apps with the applied state', async () => {
    declare(
      ['excludedPaths: [/healthz]', 'excludedPaths: [/docs]'],
      ['        codehost:  { clientId: Iv1.0a1b2c, clientSecret: "${env:CODEHOST_SECRET}" }\n', ''],
      [
        'groups:\n',
        '  shop: { image: "ghcr.io/contoso/shop:1", targetPort: 80, ingress: { external: true } }\ngroups:\n',
      ],
    );
    const { stdout, exitCode } = await run('plan', '--access', '--format', 'json');
    const { access } = JSON.parse(stdout) as PlannedAccess;
    expect(access).toMatchObject({
      version: 1,
      base: 'what is applied',
      apps: [
        {
          app: 'storefront',
          gained: [],
          lost: [],
          publicGained: ['/docs'],
          publicLost: ['/healthz'],
          anyoneLost: ['codehost'],
        },
        { app: 'shop', gained: [], publicGained: ['/*'] },
      ],
    });
    expect(exitCode).toBe(1);
  });
});

describe('plan --access --target azure', () => {
  it('compares with the live directory, and reports the decisions that differ in the cloud', async () => {
    const { stdout: environmentJson } = await run('sandbox', 'env', '--json');
    const env = JSON.parse(environmentJson) as Record<string, string>;
    const { stdout, exitCode } = await runCliWithTestEnvironment(
      ['plan', '--target', 'azure', '--access'],
      {
        cwd: project,
        env,
      },
    );
    expect(stdout.slice(stdout.indexOf('Who gets in:'))).toBe(`Who gets in:
storefront
  new: ada@contoso.example, if department were "Retail" (the rule of shoppers)
  + 1 person (ada@contoso.example): the app is new
  + a browser without a session: /healthz becomes public
  + anyone with an account at codehost: the provider is offered now
  ? in the cloud: conditional access of the directory is not read: it can refuse a sign-in that is allowed here
  ? in the cloud: the cloud documents no rules for excluded paths: beyond exactly /healthz nothing is sure to be public, for example /healthz/a
  ? in the cloud: the cloud tells browsers, which it redirects, from programs, which get 401, by their User-Agent
castellan.yaml:21:7: warning: anyone with an account at codehost gets into storefront (access-widened)
castellan.yaml:20:7: warning: /healthz of storefront becomes public (access-widened)
`);
    expect(exitCode).toBe(1);
  });
});

describe('the running sandbox', () => {
  afterAll(() => run('sandbox', 'seed', 'seed.yaml'));

  it('provides the people, and a snapshot without their names gives the same answers', async () => {
    writeFileSync(
      join(project, 'more.yaml'),
      'users:\n  - { userPrincipalName: mary@contoso.example, displayName: Mary Jackson, mailNickname: mary, department: Retail }\n',
    );
    expect((await run('sandbox', 'seed', 'more.yaml')).exitCode).toBe(0);
    const { stdout } = await run('access', 'storefront', '--people');
    expect(stdout).toContain('by the directory: 2 people\n');
    expect(stdout).toContain('    mary@contoso.example\n');
    const snapshot = await run('snapshot', '--out', 'people.yaml', '--pseudonyms');
    expect(snapshot).toMatchObject({
      exitCode: 0,
      stdout: 'people.yaml: 3 people, 2 groups and 1 registration of the sandbox\n',
    });
    const text = readFileSync(join(project, 'people.yaml'), 'utf8');
    expect(text).not.toMatch(/ada@|Lovelace|mary@|Jackson/);
    const readCounts = async (...args: string[]): Promise<unknown> =>
      (
        JSON.parse((await run('access', 'storefront', '--format', 'json', ...args)).stdout) as {
          apps: { counts: unknown }[];
        }
      ).apps[0]?.counts;
    expect(await readCounts('--from', 'people.yaml')).toEqual(await readCounts());
    expect(await readCounts()).toMatchObject({ people: 2 });
  });
});
