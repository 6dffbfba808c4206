import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, root } from '../support/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-plain-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Every file of a folder by its name. */
function filesOf(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => [
      join(entry.parentPath, entry.name).slice(path.length),
      readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    ]),
  );
}

describe('CASTELLAN_SYNTH=plain', () => {
  it('writes the same files by cdktf alone, from a configuration with everything in it', async () => {
    const everything = join(root, 'test/stacks/fixtures/everything.yaml');
    for (const out of ['fast', 'plain']) {
      const env = out === 'plain' ? { CASTELLAN_SYNTH: 'plain' } : {};
      const { exitCode, stderr } = await castellan(['synth', everything, '--out', out], {
        cwd: folder,
        env,
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    }
    const fast = filesOf(join(folder, 'fast'));
    expect(Object.keys(fast)).toContain('/stacks/everything/cdk.tf.json');
    expect(fast).toEqual(filesOf(join(folder, 'plain')));
  });
});
