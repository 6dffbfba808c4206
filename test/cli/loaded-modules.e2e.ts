import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const cli = join(__dirname, '../../dist/cli/bin.js');

describe('the modules that a check loads', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-loaded-'));
    writeFileSync(
      join(folder, 'castellan.yaml'),
      'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: security, displayName: Shoppers }\n',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The output of a check, and the files that node loaded for it. */
  function check(...options: readonly string[]): {
    readonly stdout: string;
    readonly files: readonly string[];
  } {
    const { stdout, stderr } = spawnSync(process.execPath, [cli, 'check', ...options], {
      ...{ cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
      env: { ...process.env, NODE_DEBUG: 'module' },
    });
    return {
      stdout,
      files: [...stderr.matchAll(/: load "([^"]+)"/g)].map(([, file = '']) => file),
    };
  }

  it('are its bundle, also with a policy', () => {
    expect(check().files).toEqual([cli]);
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      'version: 1\nrules: { group-two-owners: off }\n',
    );
    expect(check().files).toEqual([cli]);
  });

  it('are a bundle without the option parser if there are no options, with the same output', () => {
    writeFileSync(
      join(folder, 'castellan.yaml'),
      'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: secret, displayName: Shoppers }\n',
    );
    const said = (text: string): string => text.replace(/ \(\d+\.\d+ s\)/, '');
    expect(said(check().stdout)).toBe(said(check('--format', 'text').stdout));
    expect(check().stdout).toContain('castellan.yaml:4:');
    const source = readFileSync(join(dirname(cli), 'check-paths-main.js'), 'utf8');
    expect(source).not.toContain('commander.unknownOption');
    expect(readFileSync(join(dirname(cli), 'check-main.js'), 'utf8')).toContain(
      'commander.unknownOption',
    );
  });

  it('are few bytes to read and compile, since that is the start time of a check', () => {
    const kilobytes = (file: string): number => statSync(join(dirname(cli), file)).size / 1000;
    expect(kilobytes('check-paths-main.js')).toBeLessThan(460);
    // what V8 compiled for a file of groups: with every kind's description made at the start it was
    // 885
    const compiled = readdirSync(dirname(cli)).filter((file) =>
      file.startsWith('check-paths-main.v'),
    );
    expect(compiled.map(kilobytes)).toEqual([expect.toSatisfy((size: number) => size < 680)]);
  });

  it('are, for unusual YAML and sections other than groups, two more parts with compiled code of their own', () => {
    const cache = mkdtempSync(join(tmpdir(), 'castellan-loaded-cache-'));
    try {
      const run = (config: string) => {
        writeFileSync(join(folder, 'castellan.yaml'), config);
        const env = { ...process.env, XDG_CACHE_HOME: cache };
        const { stdout } = spawnSync(process.execPath, ['--no-flush-bytecode', cli, 'check'], {
          cwd: folder,
          encoding: 'utf8',
          env,
        });
        const kept = readdirSync(join(cache, 'castellan')).map((file) =>
          file.split('.')[0]?.replace(/-\w+$/, ''),
        );
        return { stdout, kept: kept.sort() };
      };
      // with another flag of V8 than the build's nothing that it compiled fits
      expect(
        run('version: 1\nstack: shop\ngroups:\n  a: { kind: secret, displayName: A }\n').kept,
      ).toEqual(['check-paths-main']);
      const parts = ['check-paths-main', 'fast-parse', 'more-validators'];
      const unusual =
        'version: 1\nstack: shop\nworkspaces: { a: { displayName: &a "A", descriptio: *a } }\n';
      const first = run(unusual);
      expect(first.kept).toEqual(parts);
      expect(first.stdout).toContain('descriptio');
      const said = (text: string): string => text.replace(/ \(\d+\.\d+ s\)/, '');
      expect(said(run(unusual).stdout)).toBe(said(first.stdout));
    } finally {
      rmSync(cache, { recursive: true });
    }
  });

  it('are also a validator if the policy sets options', () => {
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      'version: 1\nrules: { workspace-items-limit: { options: { limit: many } } }\n',
    );
    const { stdout, files } = check();
    expect(files.filter((file) => file !== cli && !file.includes('node_modules'))).toEqual([]);
    expect(files.some((file) => file.includes('node_modules/ajv/'))).toBe(true);
    expect(stdout).toMatch(/castellan\.policy\.yaml:2:\d+ error policy[^]*limit/);
  });
});
