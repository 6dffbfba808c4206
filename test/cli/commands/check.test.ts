import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

const root = join(__dirname, '../../..');
const storefront = readFileSync(join(root, 'examples/storefront/castellan.yaml'), 'utf8');
const env = {
  ARM_TENANT_ID: '11111111-2222-4333-8444-555555555555',
  ARM_SUBSCRIPTION_ID: '21111111-2222-4333-8444-555555555555',
};
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-check-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const check = (...args: string[]) => runCli(['check', ...args], { cwd: folder, env });
const normalize = (text: string): string =>
  text.replace(/\(\d+\.\d+ s\)/, '(0.00 s)').replace(/\d+ rules/, 'N rules');
interface JsonReport {
  readonly version: number;
  readonly findings: readonly {
    readonly ruleId: string;
    readonly verdict: string;
    readonly severity: string;
    readonly location: { file: string; line: number; column: number };
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

describe('castellan check', () => {
  it('finds nothing wrong with the storefront', async () => {
    const result = await runCli(['check', 'examples/storefront'], { cwd: root, env });
    expect([result.exitCode, result.stderr]).toEqual([0, '']);
    expect(normalize(result.stdout)).toContain(
      '1 file, 10 resources, N rules: 0 errors, 0 warnings, 3 infos, 0 suppressed, 1 unknown (0.00 s), no policy\n',
    );
  });

  it('shows what was given, what is allowed, the lines and the fix', async () => {
    write('castellan.yaml', storefront.replace('4.25', '50.5'));
    const { exitCode, stdout } = await check();
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      `castellan.yaml:43:116 error eventhouse-consumption-units
  50.5 is not an allowed minimum; allowed: 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, or any number from 51 to 322; the nearest is 50
`,
    );
    expect(stdout).toContain('\n  fix: write 50\n');
  });

  it('returns the same findings as JSON', async () => {
    write(
      'castellan.yaml',
      storefront
        .replace('mailNickname: shoppers', 'mailNickname: "shop pers"')
        .replace('    displayName: Shoppers\n', ''),
    );
    const { exitCode, stdout } = await check('--format', 'json');
    const report = JSON.parse(stdout) as JsonReport;
    const failing = report.findings.filter(
      ({ verdict, severity }) => verdict === 'fail' && severity === 'error',
    );
    expect([exitCode, report.version]).toEqual([1, 1]);
    expect(
      failing.map(
        ({ ruleId, location }) => `${ruleId} ${location.file}:${location.line}:${location.column}`,
      ),
    ).toEqual([
      'property-required castellan.yaml:33:3',
      'group-mail-nickname castellan.yaml:35:19',
    ]);
    expect(report.summary).toMatchObject({ files: 1, resources: 10, errors: 2, warnings: 0 });
  });

  it('never shows a secret that is in clear', async () => {
    write('castellan.yaml', storefront.replace('"${env:CODEHOST_SECRET}"', 'hunter2hunter2'));
    for (const format of ['text', 'json', 'sarif', 'junit', 'github', 'markdown', 'html']) {
      const { exitCode, stdout } = await check('--format', format);
      expect([format, exitCode, stdout.includes('hunter2')]).toEqual([format, 1, false]);
    }
  });

  it.each(['github', 'sarif'])(
    'names files in %s by their path in the repository, from a folder of it, too',
    async (format) => {
      write('infra/castellan.yaml', 'version: 2\nstack: shop\n');
      const run = (workspace: string) =>
        runCli(['check', '--format', format], {
          cwd: join(folder, 'infra'),
          env: { ...env, GITHUB_WORKSPACE: workspace },
        });
      expect((await run(folder)).stdout).toContain('infra/castellan.yaml');
      symlinkSync(folder, join(folder, 'link'));
      expect((await run(join(folder, 'link'))).stdout).toContain('infra/castellan.yaml');
      expect((await run(join(folder, 'elsewhere'))).stdout).not.toContain('infra/castellan.yaml');
    },
  );

  it('draws the plan in the comment of a pull request and in the summary of a job', async () => {
    const plan = join(root, 'test/policies/sources/plan/official/storefront/change.json');
    const picture = /#### The plan: 1 replace, 3 update\n\n```mermaid\nflowchart LR\n[^`]*\n```\n/;
    expect((await check('--plan', plan, '--format', 'markdown')).stdout).toMatch(picture);
    const summary = join(folder, 'summary.md');
    const args = ['check', '--plan', plan, '--format', 'github'];
    expect(
      (await runCli(args, { cwd: folder, env: { ...env, GITHUB_STEP_SUMMARY: summary } })).stdout,
    ).not.toContain('mermaid');
    expect(readFileSync(summary, 'utf8')).toMatch(picture);
  });

  it('reports that a value needs the environment, and fails only when asked to', async () => {
    write('castellan.yaml', storefront);
    const withVariable = await runCli(['check', '--fail-on-unknown'], {
      cwd: folder,
      env: { ...env, CODEHOST_SECRET: 's' },
    });
    const withoutVariable = await runCli(['check', '--fail-on-unknown'], { cwd: folder });
    const lenient = await runCli(['check'], { cwd: folder });
    expect([withVariable.exitCode, withoutVariable.exitCode, lenient.exitCode]).toEqual([0, 3, 0]);
    expect(lenient.stdout).toContain('azure.tenantId');
  });

  it('fails for unset variables with --fail-on-unset, except for those that only secrets need', async () => {
    const app = (external: string): string =>
      `version: 1\nstack: shop\ncontainerApps:\n  web: { image: "web:1", targetPort: 80, secrets: { key: "\${env:KEY}" }, env: { KEY: { secret: key } }, ingress: { external: ${external} } }\n`;
    const run = async (external: string, extraEnv: NodeJS.ProcessEnv = {}) => {
      write('castellan.yaml', app(external));
      const { exitCode, stderr } = await runCli(['check', '--fail-on-unset'], {
        cwd: folder,
        env: { ...env, ...extraEnv },
      });
      return [exitCode, stderr];
    };
    expect(await run('false')).toEqual([0, '']);
    expect(await run('"${env:KEY}"')).toEqual([
      3,
      'castellan: not judged without KEY: set it where the check runs\n',
    ]);
    expect(await run('"${env:OPEN}"')).toEqual([
      3,
      'castellan: not judged without OPEN: set it where the check runs\n',
    ]);
    expect((await run('"${env:OPEN}"', { OPEN: 'true' }))[0]).toBe(1);
  });

  it('exits with 4 if nothing was checked', async () => {
    const { exitCode, stderr } = await check();
    expect([exitCode, stderr]).toEqual([
      4,
      'castellan: nothing was checked: there is no castellan.yaml in .\n',
    ]);
  });

  it('checks several files and folders, each once, including subfolders', async () => {
    write('a/castellan.yaml', 'version: 1\nstack: a\n');
    write('b/c/castellan.yaml', 'version: 1\nstack: c\n');
    const { stdout } = await check('a', '.', 'b/c/castellan.yaml');
    expect(stdout).toContain('2 files,');
  });

  it.each([
    ['missing.yaml', 2, 'missing.yaml:1:1 error config-unreadable'],
    ['broken.yaml', 1, 'broken.yaml:2:1 error config-tab'],
  ])('gives one clear error for %s', async (file, expected, line) => {
    write('broken.yaml', 'a:\n\tb: 1\n');
    const { exitCode, stdout, stderr } = await check(file);
    expect([exitCode, stdout.split('\n')[0], stderr]).toEqual([expected, line, '']);
  });

  it('writes several formats at once and has one exit code for all', async () => {
    write('castellan.yaml', storefront.replace('4.25', '50.5'));
    const { exitCode, stdout } = await check('--format', 'json', '--format', 'sarif=report.sarif');
    expect([exitCode, JSON.parse(stdout) !== undefined]).toEqual([1, true]);
    expect(JSON.parse(readFileSync(join(folder, 'report.sarif'), 'utf8'))).toMatchObject({
      version: '2.1.0',
    });
  });

  it.each([
    [
      ['--format', 'jsn'],
      'CAS8001 Unknown command or option: --format jsn does not exist, did you mean "json"?',
    ],
    [['--format', 'json', '--format', 'text'], 'only one --format can go to stdout'],
    [
      ['--format', 'json='],
      '--format json= names no file: write json=FILE, or json for the terminal',
    ],
  ])('refuses %j', async (args, expected) => {
    const { exitCode, stderr } = await check(...args);
    expect([exitCode, stderr.includes(expected)]).toEqual([2, true]);
  });
});
