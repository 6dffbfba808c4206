import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { castellan, cliPath, root } from '../support/cli.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';

const examples = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'castellan.yaml')),
);
/** What a user has to give: the storefront reads a secret from the environment. */
const env = { CODEHOST_SECRET: 'made-up-for-the-example' };

describe.each(examples)('examples/%s, unchanged', (name) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-example-'));
    cpSync(join(root, 'examples', name), folder, { recursive: true });
  });
  afterAll(async () => {
    await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: folder, env });
    rmSync(folder, { recursive: true, force: true });
  });

  it('is checked, synthesized, applied to the sandbox, and valid for terraform', async () => {
    // twice: the second run starts from the code that V8 kept of the first
    for (let run = 0; run < 2; run++) {
      const check = await castellan(['check'], { cwd: folder, env });
      expect([check.exitCode, check.stdout]).toEqual([
        0,
        expect.stringContaining('0 errors, 0 warnings'),
      ]);
    }
    const inFolder = { cwd: folder, env };
    expect(await runCliWithTestEnvironment(['synth'], inFolder)).toMatchObject({ exitCode: 0 });
    const up = await runCliWithTestEnvironment(['up', '--auto-approve'], inFolder);
    expect([up.exitCode, up.exitCode === 0 ? '' : up.stdout + up.stderr]).toEqual([0, '']);
    for (const stack of readdirSync(join(folder, '.castellan/stacks'))) {
      const script = `eval "$(${process.execPath} ${cliPath} sandbox env)" && terraform -chdir=.castellan/stacks/${stack} validate -no-color`;
      const validated = await promisify(execFile)('bash', ['-c', script], {
        cwd: folder,
        env: { ...process.env, ...env },
      });
      expect(validated.stdout).toContain('The configuration is valid');
    }
  });
});
