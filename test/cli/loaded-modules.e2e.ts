import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = join(__dirname, '../../dist/cli/bin.js');

describe('what a check loads', () => {
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
  function check(): { readonly stdout: string; readonly files: readonly string[] } {
    const { stdout, stderr } = spawnSync(process.execPath, [cli, 'check'], {
      ...{ cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
      env: { ...process.env, NODE_DEBUG: 'module' },
    });
    return { stdout, files: [...stderr.matchAll(/: load "([^"]+)"/g)].map(([, file = '']) => file) };
  }

  it('is its one file, with a policy, too', () => {
    expect(check().files).toEqual([cli]);
    writeFileSync(join(folder, 'castellan.policy.yaml'), 'version: 1\nrules: { group-two-owners: off }\n');
    expect(check().files).toEqual([cli]);
  });

  it('is a validator besides where the policy gives options, which it holds against the rule', () => {
    writeFileSync(join(folder, 'castellan.policy.yaml'), 'version: 1\nrules: { workspace-items-limit: { options: { limit: many } } }\n');
    const { stdout, files } = check();
    expect(files.filter((file) => file !== cli && !file.includes('node_modules'))).toEqual([]);
    expect(files.some((file) => file.includes('node_modules/ajv/'))).toBe(true);
    expect(stdout).toMatch(/castellan\.policy\.yaml:2:\d+ error policy[^]*limit/);
  });
});
