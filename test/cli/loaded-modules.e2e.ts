import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = join(__dirname, '../../dist/cli/bin.js');

const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
/** Writes the address of each module that is imported, and of each that is required. */
const reporter = dataUrl(`
import { writeSync } from 'node:fs';
import { createRequire, register } from 'node:module';
register(${JSON.stringify(
  dataUrl(`import { writeSync } from 'node:fs';
  export function load(url, context, next) {
    if (url.startsWith('file:')) writeSync(2, 'loaded ' + url + '\\n');
    return next(url, context);
  }`),
)});
process.on('exit', () => {
  for (const file of Object.keys(createRequire('/').cache)) writeSync(2, 'loaded file://' + file + '\\n');
});`);

describe('the modules that a check loads', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-loaded-'));
    writeFileSync(
      join(folder, 'castellan.yaml'),
      'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: secret, displayName: Shoppers }\n',
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The output of a check, and the files that node loaded for it. */
  function check(...options: readonly string[]): {
    readonly stdout: string;
    readonly files: readonly string[];
  } {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', reporter, cli, 'check', ...options],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    const files = [...stderr.matchAll(/^loaded (file:.+)$/gm)].map(([, url = '']) =>
      fileURLToPath(url),
    );
    return { stdout, files: [...new Set(files)] };
  }

  const filesOutsideTheBundle = (files: readonly string[]): readonly string[] =>
    files.filter((file) => dirname(file) !== dirname(cli));

  it('are files of the bundled command line only, also with a policy', () => {
    const { stdout, files } = check();
    expect(stdout).toContain('castellan.yaml:4:');
    expect(files).toContain(cli);
    expect(filesOutsideTheBundle(files)).toEqual([]);
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      'version: 1\nrules: { group-two-owners: off }\n',
    );
    expect(filesOutsideTheBundle(check('--format', 'json').files)).toEqual([]);
  });

  it('are few bytes in few files to read and compile, since that is the start time of a check', () => {
    const { files } = check();
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(1_200_000);
    expect(files.length).toBeLessThanOrEqual(8);
  });

  it('are also a validator if the policy sets options', () => {
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      'version: 1\nrules: { workspace-items-limit: { options: { limit: many } } }\n',
    );
    const { stdout, files } = check();
    expect(filesOutsideTheBundle(files).filter((file) => !file.includes('node_modules'))).toEqual(
      [],
    );
    expect(filesOutsideTheBundle(files).some((file) => file.includes('node_modules/ajv/'))).toBe(
      true,
    );
    expect(stdout).toMatch(/castellan\.policy\.yaml:2:\d+ error policy[^]*limit/);
  });
});
