import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newRepository, runGit, runGitCommands } from '../support/git-repository.js';
import { runCli } from '../support/run-cli.js';

let folder: string;
const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const git = (...args: string[]): string => runGit(folder, ...args);
const commitAll = [
  ['add', '--all'],
  ['commit', '--message', 'a commit'],
];
const commit = (): void => runGitCommands(folder, ...commitAll);

const stack = (name: string, more = ''): string =>
  `version: 1\nstack: ${name}\nprincipals: { ada: { user: ada@contoso.example }, bo: { user: bo@contoso.example } }
groups: { ${name}-people: { kind: security, displayName: ${name}, mailNickname: ${name}, owners: [ada, bo] } }\n${more}`;

const files = {
  'one/castellan.yaml': stack('one'),
  'one/castellan.prod.yaml': 'groups: { one-people: { description: Of production } }\n',
  'two/castellan.yaml': stack('two', 'include: [parts/*.yaml]\n'),
  'two/parts/more.yaml': 'azure: { location: westeurope }\n',
  'after-two/castellan.yaml': stack('after-two', 'dependsOn: [two]\n'),
  'common/three.yaml': stack('three'),
  'castellan.policy.yaml': 'version: 1\n',
};
beforeEach(() => {
  folder = newRepository(files);
  mkdirSync(join(folder, 'three'));
  symlinkSync('../common/three.yaml', join(folder, 'three/castellan.yaml'));
  runGitCommands(folder, ...commitAll, ['checkout', '-b', 'change']);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The stacks that a check of the change looks at. */
async function touchedStacks(...args: string[]): Promise<string> {
  const { stderr } = await runCli(['check', '--changed', ...args], { cwd: folder });
  return /touches (.*)\n/.exec(stderr)?.[1] ?? stderr;
}

describe('--changed', () => {
  it('ends at once where the change touches no stack', async () => {
    put('README.md', 'words');
    const { exitCode, stderr } = await runCli(['check', '--changed'], { cwd: folder });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'castellan: the change since main touches 0 of 4 stacks\n',
    });
  });

  it.each([
    [
      'its file',
      () => put('one/castellan.yaml', stack('one', 'azure: { location: northeurope }\n')),
      'one',
    ],
    ['an overlay', () => put('one/castellan.prod.yaml', 'groups: {}\n'), 'one'],
    ['a deleted overlay', () => rmSync(join(folder, 'one/castellan.prod.yaml')), 'one'],
    ['a new overlay', () => put('one/castellan.dev.yaml', 'groups: {}\n'), 'one'],
    ['an access test', () => put('one/castellan.access-test.yaml', 'version: 1\n'), 'one'],
    [
      'an included file',
      () => put('two/parts/more.yaml', 'azure: { location: northeurope }\n'),
      'two',
    ],
    ['a deleted included file', () => rmSync(join(folder, 'two/parts/more.yaml')), 'two'],
    ['the seed beside it', () => put('one/seed.yaml', 'users: []\n'), 'one'],
    ['the target of a link', () => put('common/three.yaml', stack('three', '# new\n')), 'three'],
  ])('finds a stack by %s', async (_what, change, name) => {
    change();
    expect(await touchedStacks()).toBe(
      name === 'two' ? '2 of 4 stacks: after-two, two' : `1 of 4 stacks: ${name}`,
    );
    commit();
    expect(await touchedStacks('--base', 'main')).toMatch(new RegExp(`: (after-two, )?${name}$`));
  });

  it('finds a stack by the access test of another ending', async () => {
    put('four/castellan.yml', stack('four'));
    commit();
    git('branch', '--force', 'main');
    put('four/castellan.access-test.yaml', 'version: 1\n');
    expect(await touchedStacks()).toBe('1 of 5 stacks: four');
  });

  it('finds a stack by the people of its access test', async () => {
    put('one/castellan.access-test.yaml', 'from: ../people.yaml\ntests: []\n');
    put('people.yaml', 'users: []\n');
    commit();
    git('branch', '--force', 'main');
    put('people.yaml', 'users: [{ userPrincipalName: ada@contoso.example }]\n');
    expect(await touchedStacks()).toBe('1 of 4 stacks: one');
    rmSync(join(folder, 'people.yaml'));
    expect(await touchedStacks()).toBe('1 of 4 stacks: one');
  });

  it('finds the stacks of a submodule', async () => {
    const other = newRepository({ 'five/castellan.yaml': stack('five') });
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', other, 'apps');
    commit();
    git('branch', '--force', 'main');
    const submodule = join(folder, 'apps');
    writeFileSync(join(submodule, 'five/castellan.yaml'), stack('five', '# new\n'));
    runGitCommands(
      submodule,
      ['config', 'user.name', 'a'],
      ['config', 'user.email', 'a@b.example'],
      ...commitAll,
    );
    expect(await touchedStacks()).toBe('1 of 5 stacks: five');
    rmSync(other, { recursive: true, force: true });
  });

  it('judges a touched stack together with the others', async () => {
    const backend = (key: string): string =>
      `backend: { azurerm: { storageAccountName: states, containerName: states, key: ${key} } }\n`;
    put('two/castellan.yaml', stack('two', backend('two.tfstate')));
    commit();
    git('branch', '--force', 'main');
    put('a/castellan.yaml', stack('a', backend('two.tfstate')));
    put(
      'one/castellan.yaml',
      stack('one', 'moved: [{ from: three/groups.three-people, to: groups.one-people }]\n'),
    );
    const { stdout, stderr } = await runCli(['check', '--changed', '--json'], { cwd: folder });
    expect(stderr).toContain('touches 2 of 5 stacks: a, one');
    const { findings } = JSON.parse(stdout) as {
      findings: readonly { ruleId: string; location: { file: string } }[];
    };
    expect(findings.map(({ ruleId, location }) => `${ruleId} ${location.file}`)).toEqual([
      'config-backend a/castellan.yaml',
      'config-moved one/castellan.yaml',
    ]);
    // the entry of an untouched stack, of which a touched one declares the former place again
    put('a/castellan.yaml', stack('a'));
    rmSync(join(folder, 'three'), { recursive: true });
    commit();
    git('branch', '--force', 'main');
    put('three/castellan.yaml', stack('three'));
    const again = await runCli(['check', '--changed', '--json'], { cwd: folder });
    expect(again.stderr).toContain('touches 1 of 5 stacks: three');
    expect(again.stdout).toContain('config-moved');
  });

  it('takes all stacks where the policy changes, which judges all', async () => {
    put('castellan.policy.yaml', 'version: 1\nrules: { group-two-owners: off }\n');
    expect(await touchedStacks()).toBe('4 of 4 stacks: after-two, one, three, two');
  });

  it('judges only the touched stacks, and still reports what is removed', async () => {
    put('one/castellan.yaml', stack('one').replace('owners: [ada, bo]', 'owners: [ada]'));
    put('two/castellan.yaml', stack('two').replace('owners: [ada, bo]', 'owners: [ada]'));
    commit();
    git('branch', '--force', 'main');
    put('one/castellan.yaml', stack('one').replace('owners: [ada, bo]', 'owners: [bo]'));
    rmSync(join(folder, 'three'), { recursive: true });
    commit();
    const run = async (...args: string[]): Promise<readonly string[]> => {
      const { stdout } = await runCli(['check', '--json', ...args], { cwd: folder });
      const { findings } = JSON.parse(stdout) as {
        findings: readonly { ruleId: string; stack?: string; severity: string }[];
      };
      return [
        ...new Set(findings.map(({ ruleId, stack: stackName = '' }) => `${ruleId} ${stackName}`)),
      ];
    };
    expect(await run()).toEqual(['group-two-owners one', 'group-two-owners two']);
    expect(await run('--changed', '--base', 'main')).toEqual([
      'group-two-owners one',
      expect.stringContaining('change-') as string,
    ]);
  });

  it('reports a configuration that can not be read', async () => {
    put('four/castellan.yaml', 'stack: [\n');
    const { exitCode } = await runCli(['check', '--changed'], { cwd: folder });
    expect(exitCode).toBe(1);
  });

  it('needs a branch to compare with', async () => {
    git('branch', '--move', 'main', 'trunk');
    const { exitCode, stderr } = await runCli(['check', '--changed'], { cwd: folder });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('CAS7004');
    expect(stderr).toContain('name what to compare with by --base');
  });
});

describe('configurations in subfolders', () => {
  it('are found by graph, diff and environments as by check', async () => {
    const graph = await runCli(['graph'], { cwd: folder });
    expect(graph.stderr).toContain('choose one by --stack (after-two, one, three, two)');
    const drawn = await runCli(['graph', '--stack', 'one'], { cwd: folder });
    expect(drawn).toMatchObject({ exitCode: 0, stderr: '' });
    const diff = await runCli(['diff', 'default', 'prod'], { cwd: folder });
    expect(diff.stdout).toBe('one: + groups.one-people.description: "Of production"\n');
    const { stdout } = await runCli(['environments', '--no-drift'], { cwd: folder });
    expect(stdout).toContain('  after-two (after-two/castellan.yaml): nothing applied\n');
    expect(stdout).toContain('  one (one/castellan.yaml + one/castellan.prod.yaml)');
  });

  it('pass over a workflow of the same name, and say so with --verbose', async () => {
    put('ci/castellan.yml', 'on: push\njobs: {}\n');
    const message =
      'castellan: ignored ci/castellan.yml: it is a workflow (with on: and jobs:), not a configuration\n';
    for (const command of [
      ['check'],
      ['diff', 'default', 'prod'],
      ['environments', '--no-drift'],
      ['graph', '--stack', 'one'],
    ]) {
      const [quiet, verbose] = [
        await runCli(command, { cwd: folder }),
        await runCli([...command, '--verbose'], { cwd: folder }),
      ];
      expect([quiet.exitCode, quiet.stderr]).toEqual([0, '']);
      expect([verbose.exitCode, verbose.stderr]).toEqual([0, message]);
    }
    const alone = await runCli(['check', 'ci/castellan.yml'], { cwd: folder });
    expect(alone.exitCode).toBe(4);
    expect(alone.stderr).toContain('ci/castellan.yml is a workflow (with on: and jobs:)');
  });
});
