import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-init-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const run = (...args: string[]) => runCli(args, { cwd: folder });

describe('castellan init', () => {
  it.each(['app-with-sign-in', 'groups', 'fabric', 'policy-only'])(
    'writes a project of %s in which nothing is wrong',
    async (template) => {
      const { exitCode, stdout } = await run('init', template, '--name', 'shop');
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('  castellan check\n')]);
      expect(readdirSync(folder)).toEqual(
        expect.arrayContaining([
          '.github',
          '.gitignore',
          'castellan.schema.json',
          'castellan.yaml',
          'seed.yaml',
        ]),
      );
      const check = await run('check', '--fail-on-unknown');
      expect([check.exitCode, check.stdout]).toEqual([
        0,
        expect.stringContaining('0 errors, 0 warnings'),
      ]);
      expect(readFileSync(join(folder, 'castellan.yaml'), 'utf8')).toMatch(
        /^# yaml-language-server: \$schema=castellan.schema.json\n/,
      );
      const workflow = parse(
        readFileSync(join(folder, '.github/workflows/castellan.yml'), 'utf8'),
      ) as { jobs: object };
      expect(Object.keys(workflow.jobs)).toHaveLength(1);
    },
  );

  it('writes a TypeScript project with versions that work together', async () => {
    await run('init', 'typescript', '--name', 'shop', '--directory', 'made/here');
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(folder, 'made/here/package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    expect(Object.keys(dependencies ?? {})).toEqual(['castellan', 'cdktf', 'constructs']);
    expect(devDependencies?.['typescript']).toBe('~5.9');
  });

  it.each(['p', '42', 'My  App!', '-', 'a'.repeat(40)])(
    'writes what check accepts in a folder that is called %j',
    async (name) => {
      expect((await run('init', 'app-with-sign-in', '--directory', name)).exitCode).toBe(0);
      expect(await run('check', name)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('0 errors') as string,
      });
    },
  );

  it('overwrites nothing, and writes nothing if one file exists', async () => {
    writeFileSync(join(folder, 'seed.yaml'), 'mine');
    const { exitCode, stderr } = await run('init', 'groups');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('CAS8202 The file already exists: seed.yaml: nothing was written'),
    ]);
    expect(readdirSync(folder)).toEqual(['seed.yaml']);
  });

  it('adds to a .gitignore the lines that it lacks', async () => {
    writeFileSync(join(folder, '.gitignore'), 'build/\r\nnode_modules/');
    const dry = await run('init', 'groups', '--dry-run');
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('build/\r\nnode_modules/');
    const { exitCode, stdout } = await run('init', 'groups');
    expect([exitCode, stdout]).toEqual([0, dry.stdout]);
    expect(stdout).toContain('.gitignore\n');
    const lines = readFileSync(join(folder, '.gitignore'), 'utf8').split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['build/', 'node_modules/']);
    expect(lines).toContain('.castellan/');
    expect(lines.filter((line) => line === 'node_modules/')).toHaveLength(1);
  });

  it('leaves a .gitignore as it is where another file exists', async () => {
    writeFileSync(join(folder, '.gitignore'), 'build/\n');
    writeFileSync(join(folder, 'seed.yaml'), 'mine');
    const { exitCode, stderr } = await run('init', 'groups');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('exists: seed.yaml: nothing')]);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('build/\n');
  });

  it('says below the root of a repository where the workflow belongs', async () => {
    mkdirSync(join(folder, '.git'));
    const step = 'move .github/workflows/castellan.yml to the root of the repository';
    expect((await run('init', 'groups', '-C', 'infra/shop')).stdout).toContain(step);
    expect((await run('init', 'typescript', '-C', 'infra/program')).stdout).toContain(
      'working-directory: infra/program',
    );
    expect((await run('init', 'groups')).stdout).not.toContain(step);
  });

  it('writes nothing through a link that leads nowhere', async () => {
    symlinkSync('elsewhere.yaml', join(folder, 'seed.yaml'));
    const { exitCode, stderr } = await run('init', 'groups');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('CAS8202')]);
    expect(readdirSync(folder)).toEqual(['seed.yaml']);
  });

  it('leaves no file where one cannot be written', async () => {
    writeFileSync(join(folder, '.github'), 'a file, not a folder');
    const { exitCode, stderr } = await run('init', 'groups');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('CAS8203')]);
    expect(readdirSync(folder)).toEqual(['.github']);
  });

  it.runIf(process.platform === 'linux')(
    'leaves no folder where a file cannot be written',
    async () => {
      // long enough that only .github/workflows/castellan.yml is no path of Linux any more
      const room = 4070 - folder.length;
      const directory = `${'a'.repeat(199)}/`.repeat(room / 200) + 'b'.repeat(room % 200);
      const { exitCode, stderr } = await run('init', 'groups', '--directory', directory);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('CAS8203')]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('says how to change to a folder whose name a shell would take apart', async () => {
    const { stdout } = await run('init', 'groups', '--directory', "my 'new' shop");
    expect(stdout).toContain("  cd 'my '\\''new'\\'' shop'\n");
  });

  it('prints by --dry-run what it prints otherwise, and writes nothing', async () => {
    const args = ['init', 'groups', '--name', 'shop', '--directory', 'made/here'];
    const dry = await run(...args, '--dry-run');
    expect(readdirSync(folder)).toEqual([]);
    expect(dry.stdout).toContain('made/here/castellan.yaml\n');
    expect(await run(...args)).toEqual(dry);
    expect(await run(...args, '--dry-run')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('made/here/castellan.yaml') as string,
    });
  });

  it.each([
    [['init'], 'needs a template'],
    [
      ['init', 'grups'],
      'there is no template "grups", did you mean "groups"; templates: app-with-sign-in, groups,',
    ],
    [['init', '7'], 'there is no template "7"; templates: app-with-sign-in, groups,'],
    [['init', 'groups', '--name', 'Not Good'], '--name Not Good'],
    [
      ['init', 'groups', '--name', 'p'],
      '--name p: a name for apps, groups and resources has 2 to 24',
    ],
    [['init', 'groups', '--name', 'a--b'], '--name a--b'],
  ])('refuses %j', async (args, expected) => {
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });
});

describe('castellan init --existing', () => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const packageText = `{
    "name": "shop",
    "dependencies": {
        "@cdktf/provider-azurerm": "^14.23.1",
        "cdktf": "^0.21.0"
    },
    "devDependencies": { "jest": "^30.0.0" }
}`;

  it('adds what a cdktf project lacks, changes nothing else and shows the difference', async () => {
    write('cdktf.json', '{ "language": "typescript", "app": "npx ts-node main.ts" }');
    write('package.json', JSON.stringify(JSON.parse(packageText), undefined, 4));
    write('setup.js', 'const cdktf = require("cdktf");\ncdktf.Testing.setupJest();\n');
    write('.gitignore', 'node_modules');
    write('main.ts', 'mine');
    const dry = await run('init', '--existing', '--dry-run');
    expect(dry.stdout).toContain('+        "castellan": "^0.1.0",\n         "cdktf": "^0.21.0"');
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules');

    const { exitCode, stdout } = await run('init', '--existing');
    expect([exitCode, stdout]).toEqual([0, dry.stdout]);
    expect(stdout).toContain('+++ b/setup.js\n@@ -1,2 +1,3 @@\n');
    expect(readFileSync(join(folder, 'package.json'), 'utf8').split('\n')[3]).toBe(
      '        "@cdktf/provider-azurerm": "^14.23.1",',
    );
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules\n.castellan/\n');
    expect(readFileSync(join(folder, 'main.ts'), 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(
      ['.gitignore', 'cdktf.json', 'main.ts', 'package.json', 'seed.yaml', 'setup.js'].sort(),
    );
    expect((await run('init', '--existing')).stdout).toMatch(/^Nothing is missing\.\n/);
  });

  const writeProject = (packageJson: string): void => {
    write('cdktf.json', '{ "language": "typescript", "app": "npx ts-node main.ts" }');
    write('package.json', packageJson);
    write('seed.yaml', 'users: []\n');
  };

  it.each([
    [
      'CRLF and lists on one line',
      '{\r\n\t"files": ["a", "b"],\r\n\t"dependencies": {\r\n\t\t"cdktf": "1"\r\n\t}\r\n}\r\n',
      '\t\t"cdktf": "1"',
      '\t\t"castellan": "^0.1.0",\r\n\t\t"cdktf": "1"',
    ],
    [
      'names that come before, and a byte order mark',
      '\uFEFF{\n  "dependencies": {\n    "@cdktf/provider-azurerm": "14"\n  }\n}',
      '"14"',
      '"14",\n    "castellan": "^0.1.0"',
    ],
    [
      'one line',
      '{ "name": "x", "dependencies": { "cdktf": "1" } }\n',
      '{ "cdktf"',
      '{ "castellan": "^0.1.0", "cdktf"',
    ],
    [
      'dependencies of something else only',
      '{\n  "overrides": { "dependencies": { "x": "1" } }\n}\n',
      ' } }\n}',
      ' } },\n  "dependencies": {\n    "castellan": "^0.1.0"\n  }\n}',
    ],
    [
      'no dependencies yet',
      '{\n    "dependencies": {}\n}\n',
      '{}',
      '{\n        "castellan": "^0.1.0"\n    }',
    ],
    ['nothing in it', '{}\n', '{}', '{\n  "dependencies": {\n    "castellan": "^0.1.0"\n  }\n}'],
    [
      'a packageManager that is no text',
      '{ "packageManager": 1 }\n',
      '1',
      '1, "dependencies": {\n    "castellan": "^0.1.0"\n  }',
    ],
  ])('changes one place of a package.json with %s', async (_, before, place, replacement) => {
    writeProject(before);
    expect((await run('init', '--existing')).exitCode).toBe(0);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(
      before.replace(place, replacement),
    );
  });

  it('takes npm for a packageManager that it does not know', async () => {
    writeProject('{ "packageManager": "constructor@1" }');
    expect((await run('init', '--existing')).stdout).toContain('  npm install\n');
  });

  it('keeps the line breaks of .gitignore, and the line breaks and module format of setup.js', async () => {
    writeProject('{ "type": "module" }');
    write('.gitignore', 'node_modules\r\n');
    write('setup.js', "import { Testing } from 'cdktf';\r\nTesting.setupJest();\r\n");
    await run('init', '--existing');
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe(
      'node_modules\r\n.castellan/\r\n',
    );
    expect(readFileSync(join(folder, 'setup.js'), 'utf8')).toMatch(
      /\nTesting.setupJest\(\);\r\nimport 'castellan\/testing\/jest';\r\n$/,
    );
  });

  it('leaves a setup.js alone that does not set up Jest', async () => {
    writeProject('{ "devDependencies": { "jest": "30" } }');
    write('setup.js', 'console.log("before the first build");\n');
    expect((await run('init', '--existing')).stdout).not.toContain('setup.js');
  });

  it('adds to the package.json above a project of a workspace', async () => {
    mkdirSync(join(folder, 'infra'));
    write('infra/cdktf.json', '{ "language": "typescript" }');
    write('package.json', '{ "devDependencies": { "cdktf-cli": "0.21.0" } }');
    write('pnpm-lock.yaml', '');
    const { stdout } = await run('init', '--existing', '--directory', 'infra');
    expect(stdout).toContain('+++ b/../package.json');
    expect(stdout).toContain('  pnpm install\n');
    expect(stdout).toContain('  pnpm exec cdktf deploy');
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"castellan": "^0.1.0"');
  });

  it.each([
    ['{ "packageManager": "yarn@4.9.1", "name": "x" }', 'package-lock.json'],
    ['{ "name": "x" }', 'yarn.lock'],
  ])(
    'adds the peer dependencies where yarn installs: %s beside %s',
    async (packageJson, lockFile) => {
      writeProject(packageJson);
      write(lockFile, '');
      const { stdout } = await run('init', '--existing');
      expect(stdout).toContain('  yarn install\n');
      expect(stdout).toContain('  yarn castellan sandbox start');
      const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        dependencies: object;
      };
      expect(Object.keys(dependencies).sort()).toEqual([
        '@cdktf/provider-azuread',
        '@cdktf/provider-azurerm',
        'castellan',
        'cdktf',
        'constructs',
      ]);
    },
  );

  it.each(['null', '[]', '""'])('refuses a package.json that is no object: %s', async (text) => {
    writeProject(text);
    const { exitCode, stderr } = await run('init', '--existing');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('package.json holds something else than a JSON object'),
    ]);
  });

  it.each([
    [undefined, 'there is no cdktf.json'],
    ['{ "language": "python" }', 'the constructs are for "typescript"'],
    ['{ nothing', 'cdktf.json is not JSON'],
  ])('refuses a project that does not use cdktf in TypeScript: %j', async (text, message) => {
    if (text !== undefined) write('cdktf.json', text);
    const { exitCode, stderr } = await run('init', '--existing');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await run('init', 'groups', '--existing')).stderr).toContain('takes no template');
  });
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
}

describe("the workflow of castellan init, step by step in a fresh clone of a change's branch", () => {
  it.each(['app-with-sign-in', 'groups', 'fabric', 'policy-only'])('%s', async (template) => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd,
        stdio: 'ignore',
      });
    const origin = join(folder, 'origin');
    await run('init', template, '--directory', 'origin', '--name', 'shop');
    git(origin, 'init', '--initial-branch', 'main');
    git(origin, 'add', '.');
    git(origin, 'commit', '--message', 'begin');
    git(origin, 'checkout', '-b', 'change');
    git(origin, 'commit', '--allow-empty', '--message', 'change');
    git(folder, 'clone', '--branch', 'change', origin, 'clone');
    const { jobs } = parse(
      readFileSync(join(origin, '.github/workflows/castellan.yml'), 'utf8'),
    ) as { jobs: { check: { steps: readonly Step[] } } };
    const { steps } = jobs.check;
    for (const { uses } of steps)
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    const commands = steps.flatMap(({ run: script }) => script ?? []);
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const [, words = ''] =
        /^npx --yes (?:--prefix "\$RUNNER_TEMP" )?castellan-check@\d+\.\d+\.\d+ ([^>]*)/.exec(
          command,
        ) ?? [];
      const args = words.trim().replace('"$BASE"', 'origin/main').split(' ');
      const result = await runCli(args, { cwd: join(folder, 'clone') });
      expect({ command, ...result }).toMatchObject({ exitCode: 0, stderr: '' });
    }
  });
});
