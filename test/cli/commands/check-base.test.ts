import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newRepository, runGit, runGitCommands } from '../../support/git-repository.js';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => {
  folder = newRepository({});
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) => runGit(folder, ...args);
const writeText = (name: string, content: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const writeConfig = (content: string, name = 'castellan.yaml', stack = 'shop') =>
  writeText(name, `version: 1\nstack: ${stack}\n${content}`);
const commitAll = () => runGitCommands(folder, ['add', '.'], ['commit', '--message', 'before']);
const commit = (content: string) => {
  writeConfig(content);
  commitAll();
};
const app = (name: string, suffix = '') =>
  `  ${name}: { image: "web:1", targetPort: 80, ingress: { external: true } }${suffix}\n`;
const eventhouse = (units: number, name = 'h') =>
  `workspaces: { w: { displayName: W, capacityId: 11111111-2222-4333-8444-555555555555 } }\neventhouses:\n  ${name}: { workspace: w, displayName: ${name}, minimumConsumptionUnits: ${units} }\n`;

interface CheckResult {
  readonly exitCode: number;
  readonly stderr: string;
  readonly findings: readonly string[];
  readonly summary: Readonly<Record<string, number>>;
}

async function check(base = 'HEAD', ...args: string[]): Promise<CheckResult> {
  const run = await runCli(['check', ...args, '--base', base, '--format', 'json'], { cwd: folder });
  const { findings = [], summary = {} } = JSON.parse(run.stdout) as {
    findings?: { ruleId: string; path?: string[]; change?: string; location?: { file: string } }[];
    summary?: Record<string, number>;
  };
  const lines = findings.map(
    ({ ruleId, path = [], change, location }) => `${location?.file} ${ruleId} ${path[1]} ${change}`,
  );
  return { exitCode: run.exitCode, stderr: run.stderr, findings: lines, summary };
}

describe('castellan check --base', () => {
  it('fails only for new findings, and counts existing and fixed ones', async () => {
    commit(`containerApps:\n${app('old')}${app('gone')}`);
    writeConfig(`containerApps:\n${app('old')}`);
    const rerun = await runCli(['check', '--base', 'HEAD'], { cwd: folder });
    expect([rerun.exitCode, rerun.stdout]).toEqual([
      0,
      expect.stringContaining('1 unchanged, 1 fixed') as string,
    ]);
    expect(rerun.stdout).toContain('auth-public-app (unchanged)');
    writeConfig(`containerApps:\n${app('old')}${app('fresh')}`);
    const { exitCode, findings } = await check();
    expect([exitCode, findings]).toEqual([
      1,
      ['castellan.yaml auth-public-app old unchanged', 'castellan.yaml auth-public-app fresh new'],
    ]);
  });

  it('reports what a change deletes, before any plan', async () => {
    commit(
      'workspaces: { w: { displayName: W } }\neventhouses:\n  h: { workspace: w, displayName: h }\n',
    );
    writeConfig('workspaces: { w: { displayName: W } }\n');
    const { exitCode, stdout } = await runCli(['check', '--base', 'HEAD'], { cwd: folder });
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringContaining('"h" is gone: the eventhouse is deleted with all its data') as string,
    ]);
  });

  it('does not mistake an invalid declaration for a removed one', async () => {
    commit(eventhouse(18));
    writeConfig(eventhouse(18).replace('displayName: h', 'displayName: [h]'));
    expect((await check()).findings).toEqual(['castellan.yaml property-type h new']);
    writeConfig(`${eventhouse(18)}\tx`);
    expect((await check()).findings).toEqual(['castellan.yaml config-tab undefined new']);
  });

  it('reports what is deleted with a whole file, also if nothing is left to check', async () => {
    writeConfig(eventhouse(18), 'shop/castellan.yaml');
    writeConfig('workspaces: { v: { displayName: V } }\n', 'other/castellan.yaml', 'other');
    commitAll();
    rmSync(join(folder, 'shop'), { recursive: true });
    const deletions = [
      'shop/castellan.yaml change-deletes h new',
      'shop/castellan.yaml change-deletes w new',
    ];
    expect(await check()).toMatchObject({ exitCode: 1, findings: deletions });
    rmSync(join(folder, 'other'), { recursive: true });
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: ['other/castellan.yaml change-deletes v new', ...deletions],
    });
  });

  it('reports what is deleted with an environment', async () => {
    writeConfig(eventhouse(18));
    writeText('castellan.dev.yaml', 'eventhouses: { h: { description: Of dev } }\n');
    writeText(
      'castellan.prod.yaml',
      'eventhouses: { p: { workspace: w, displayName: p, minimumConsumptionUnits: 18 } }\n',
    );
    commitAll();
    expect(await check()).toMatchObject({ exitCode: 0, findings: [] });
    rmSync(join(folder, 'castellan.prod.yaml'));
    const gone = { exitCode: 1, findings: ['castellan.prod.yaml change-deletes prod new'] };
    expect(await check()).toMatchObject(gone);
    expect(await check('HEAD', '--changed')).toMatchObject(gone);
    const { stdout } = await runCli(['check', '--base', 'HEAD'], { cwd: folder });
    expect(stdout).toContain('error change-deletes in prod');
    expect(stdout).toContain(
      'the environment "prod" of the stack "shop" is gone with everything that it declares (3 declarations)',
    );
    // of a stack that is renamed, and of one that can't be read
    writeConfig(`moved: [{ from: shop, to: store }]\n${eventhouse(18)}`, undefined, 'store');
    expect(await check()).toMatchObject(gone);
    writeText('castellan.yaml', 'stack: [');
    expect((await check()).findings).not.toContain(gone.findings[0]);
    // one that declares everything in its environments
    writeConfig('');
    writeText('castellan.prod.yaml', eventhouse(18));
    rmSync(join(folder, 'castellan.dev.yaml'));
    commitAll();
    for (const file of ['castellan.yaml', 'castellan.prod.yaml']) rmSync(join(folder, file));
    expect(await check()).toMatchObject(gone);
  });

  it('follows a moved stack by its name, also if only the new file is given', async () => {
    writeConfig(`containerApps:\n${app('old')}${eventhouse(18)}`, 'shop/castellan.yaml');
    commitAll();
    mkdirSync(join(folder, 'stores'));
    renameSync(join(folder, 'shop'), join(folder, 'stores/läden'));
    writeConfig(`containerApps:\n${app('old')}${eventhouse(26)}`, 'stores/läden/castellan.yaml');
    const moved = ['auth-public-app old unchanged', 'change-replaces h new'].map(
      (each) => `stores/läden/castellan.yaml ${each}`,
    );
    expect((await check()).findings).toEqual(moved);
    expect((await check('HEAD', 'stores/läden/castellan.yaml')).findings).toEqual(moved);
    commitAll();
    expect((await check()).findings).toEqual([
      'stores/läden/castellan.yaml auth-public-app old unchanged',
    ]);
  });

  it('compares overlays and included files with those of the base', async () => {
    writeText('parts/house.yaml', eventhouse(18));
    writeConfig('include: [parts/*.yaml]\n');
    writeText('castellan.prod.yaml', 'eventhouses: { h: { minimumConsumptionUnits: 26 } }\n');
    commitAll();
    expect((await check()).findings).toEqual([]);
    writeText('parts/house.yaml', eventhouse(8.5));
    expect((await check()).findings).toEqual(['parts/house.yaml change-replaces h new']);
    expect((await check('HEAD', '--environment', 'prod')).findings).toEqual([]);
    writeText('castellan.prod.yaml', 'eventhouses: { h: { minimumConsumptionUnits: 34 } }\n');
    expect((await check('HEAD', '--environment', 'prod')).findings).toEqual([
      'castellan.prod.yaml change-replaces h new',
    ]);
    rmSync(join(folder, 'parts'), { recursive: true });
    expect((await check()).findings).toContain('castellan.yaml change-deletes h new');
  });

  it('compares with the commit where the branch started, not with later merges', async () => {
    commit(eventhouse(18));
    git('checkout', '-b', 'feature');
    writeConfig(
      `${eventhouse(18)}groups: { g: { kind: security, displayName: G, owners: [a, b] } }\nprincipals: { a: { user: a@b.c }, b: { user: b@b.c } }\n`,
    );
    commitAll();
    git('checkout', 'main');
    commit(`${eventhouse(18)}  added: { workspace: w, displayName: added }\n`);
    git('checkout', 'feature');
    expect(await check('main')).toMatchObject({ exitCode: 0, findings: [] });
  });

  it('distinguishes stacks with declarations of the same name', async () => {
    writeConfig(`containerApps:\n${app('web')}`, 'a/castellan.yaml', 'a');
    writeConfig('containerApps:\n', 'b/castellan.yaml', 'b');
    commitAll();
    writeConfig(`containerApps:\n${app('web')}`, 'b/castellan.yaml', 'b');
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: [
        'a/castellan.yaml auth-public-app web unchanged',
        'b/castellan.yaml auth-public-app web new',
      ],
    });
  });

  it('reports a removed suppression like the mistake, and does not count accepted findings as fixed', async () => {
    const acceptedComment =
      ' # castellan-ignore auth-public-app reason=shop owner=web until=2999-01-01';
    commit(`containerApps:\n${app('web', acceptedComment)}`);
    writeConfig(`containerApps:\n${app('web')}`);
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: ['castellan.yaml auth-public-app web new'],
    });
    commitAll();
    writeConfig(`containerApps:\n${app('web', acceptedComment)}`);
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: [
        'castellan.yaml auth-public-app web unchanged',
        'castellan.yaml policy-weakened castellan.yaml new',
      ],
      summary: { suppressed: 0, fixed: 0 },
    });
    commitAll();
    expect((await check()).summary).toMatchObject({ suppressed: 1, fixed: 0 });
    writeText('castellan.policy.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
    writeConfig(`containerApps:\n${app('web')}`);
    commitAll();
    expect(await check()).toMatchObject({
      exitCode: 0,
      findings: [],
      summary: { fixed: 0, unchanged: 0 },
    });
  });

  it('treats earlier mistakes as existing, including those in files and suppressions', async () => {
    const expiredComment =
      ' # castellan-ignore auth-public-app reason=shop owner=web until=2020-01-01';
    writeConfig(`include: [nothing.yaml]\ncontainerApps:\n${app('web', expiredComment)}`);
    commitAll();
    const { exitCode, findings } = await check();
    expect([
      exitCode,
      findings.every((each) => each.endsWith(' unchanged')),
      findings.length,
    ]).toEqual([0, true, 3]);
  });

  it('compares what was renamed or moved with itself', async () => {
    const groups = (name: string, kind = 'security') =>
      `groups:\n  ${name}: { kind: ${kind}, displayName: Staff, ownersManagedElsewhere: true }\n`;
    const moved = 'moved: [{ from: groups.staff, to: groups.people }]\n';
    commit(groups('staff'));
    const changeRules = async () =>
      (await check()).findings
        .map((each) => each.split(' ')[1])
        .filter((id) => id?.startsWith('change-'));
    writeConfig(groups('people'));
    expect(await changeRules()).toEqual(['change-deletes']);
    writeConfig(`${moved}${groups('people')}`);
    expect(await changeRules()).toEqual([]);
    writeConfig(`${moved}${groups('people', 'unified')}`);
    expect(await changeRules()).toEqual(['change-replaces']);
    // moves the group into another stack, and renames the stack
    writeConfig(
      `moved: [{ from: front/groups.staff, to: groups.staff }, { from: shop, to: front }]\n${groups('staff')}`,
      'castellan.yaml',
      'back',
    );
    expect(await changeRules()).toEqual([]);
    // without the entry the group no longer keeps its first name
    writeConfig(`${moved}${groups('people')}`);
    commitAll();
    writeConfig(groups('people'));
    expect(await changeRules()).toEqual(['change-replaces']);
  });

  it('reports as deleted what would move to where something else was', async () => {
    const houses = (...names: string[]): string =>
      `workspaces: { w: { displayName: W, capacityId: 11111111-2222-4333-8444-555555555555 } }\neventhouses:\n${names.map((name) => `  ${name}: { workspace: w, displayName: ${name} }\n`).join('')}`;
    commit(houses('clicks', 'other'));
    writeConfig(`moved: [{ from: eventhouses.clicks, to: eventhouses.other }]\n${houses('other')}`);
    expect((await check()).findings).toEqual(['castellan.yaml change-deletes clicks new']);
    // the same by two entries, and a whole stack
    writeConfig(
      `moved: [{ from: eventhouses.clicks, to: eventhouses.other }, { from: eventhouses.other, to: eventhouses.all }]\n${houses('all')}`,
    );
    expect((await check()).findings).toEqual(['castellan.yaml change-deletes clicks new']);
    writeConfig(houses('clicks'), 'castellan.yaml', 'a');
    writeConfig(houses('clicks'), 'b/castellan.yaml', 'b');
    commitAll();
    rmSync(join(folder, 'castellan.yaml'));
    writeConfig(`moved: [{ from: a, to: b }]\n${houses('clicks')}`, 'b/castellan.yaml', 'b');
    expect((await check()).findings).toEqual([
      'castellan.yaml change-deletes clicks new',
      'castellan.yaml change-deletes w new',
    ]);
  });

  it('works through symbolic links, of the folder and of a file', async () => {
    writeText('shared.yaml', `version: 1\nstack: shop\ncontainerApps:\n${app('web')}`);
    mkdirSync(join(folder, 'a'));
    symlinkSync('../shared.yaml', join(folder, 'a/castellan.yaml'));
    commitAll();
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    const { exitCode, stdout } = await runCli(['check', 'a', '--base', 'HEAD'], { cwd: link });
    rmSync(link);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('1 unchanged, 0 fixed') as string,
    ]);
  });

  it('reports when there is nothing to compare with', async () => {
    writeConfig('');
    commitAll();
    expect(await check('nowhere')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('CAS7004') as string,
    });
    expect((await check('origin/main')).stderr).toContain(
      'run git fetch origin main:refs/remotes/origin/main, or check out with the whole history (fetch-depth: 0)',
    );
    expect((await check('--upload-pack=x')).stderr).toContain('CAS7004');
    rmSync(join(folder, '.git'), { recursive: true });
    expect((await check()).stderr).toMatch(
      /there is nothing to compare with at HEAD: .*not a git repository/,
    );
  });
});
