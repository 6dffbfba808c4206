import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, runCli } from '../../support/run-cli.js';

const run = (
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CliRun> => runCli(args, { cwd, env });

/** A folder with configurations by their path. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-synth-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const group = (stack: string, more = '') =>
  `version: 1\nstack: ${stack}\n${more}groups: { g: { kind: security, displayName: "G \${env:STAGE}", owners: [0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071] } }\n`;

describe('castellan synth', () => {
  it('writes the stack of the folder and names the file', async () => {
    const folder = project({ 'castellan.yaml': group('shop') });
    expect(await run(folder, ['synth'], { STAGE: 'prod' })).toEqual({
      exitCode: 0,
      stdout: 'cdktf.out/stacks/shop/cdk.tf.json\n',
      stderr: '',
    });
    expect(readFileSync(join(folder, 'cdktf.out/stacks/shop/cdk.tf.json'), 'utf8')).toContain(
      '"G prod"',
    );
  });

  it('writes several configurations to --out, in the order in which they are applied', async () => {
    const folder = project({
      'a/castellan.yaml': group('app', 'dependsOn: [base]\n'),
      'b/castellan.yaml': group('base'),
    });
    const { exitCode, stdout } = await run(folder, ['synth', 'a', 'b', '--out', 'out'], {
      STAGE: 'x',
    });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'out/stacks/base/cdk.tf.json\nout/stacks/app/cdk.tf.json\n',
    });
  });

  it('finds the configurations below a folder, as plan and up do', async () => {
    const folder = project({
      'apps/shop/castellan.yaml': group('shop'),
      'apps/pay/castellan.yaml': group('pay'),
    });
    expect(await run(folder, ['synth'], { STAGE: 'x' })).toMatchObject({
      exitCode: 0,
      stdout: 'cdktf.out/stacks/pay/cdk.tf.json\ncdktf.out/stacks/shop/cdk.tf.json\n',
    });
  });

  it('applies the overlay of an environment to the configuration', async () => {
    const folder = project({
      'castellan.yaml': group('shop'),
      'castellan.prod.yaml': 'groups: { g: { displayName: Of production } }\n',
    });
    expect((await run(folder, ['synth', '--env', 'prod'])).exitCode).toBe(0);
    expect(readFileSync(join(folder, 'cdktf.out/stacks/shop/cdk.tf.json'), 'utf8')).toContain(
      '"Of production"',
    );
  });

  it('leaves out a stack without the overlay of the environment, and says so', async () => {
    const folder = project({
      'a/castellan.yaml': group('a'),
      'a/castellan.prod.yaml': 'version: 1\n',
      'b/castellan.yaml': group('b'),
    });
    expect(await run(folder, ['synth', '-e', 'prod'], { STAGE: 'x' })).toEqual({
      exitCode: 0,
      stdout: 'cdktf.out/stacks/a/cdk.tf.json\n',
      stderr:
        'b/castellan.yaml is left out: b/castellan.prod.yaml does not exist, and only with it the stack is part of the environment prod (version: 1 is enough)\n',
    });
    expect(existsSync(join(folder, 'cdktf.out/stacks/b'))).toBe(false);
  });

  it('takes the environment of the shell for its sandbox, and for nothing else', async () => {
    const folder = project({
      'castellan.yaml': group('shop'),
      'castellan.prod.yaml': 'groups: { g: { displayName: Of production } }\n',
      '.castellan/environments/prod/ca.pem': '',
    });
    const stateOf = async (...options: string[]): Promise<string | undefined> => {
      const env = { STAGE: 'x', CASTELLAN_ENVIRONMENT: 'prod' };
      expect(await run(folder, ['synth', ...options], env)).toMatchObject({ exitCode: 0 });
      const text = readFileSync(join(folder, 'cdktf.out/stacks/shop/cdk.tf.json'), 'utf8');
      return /[^"]*tfstate/.exec(text)?.[0];
    };
    expect(await stateOf('--target', 'sandbox')).toBe(
      '../../../.castellan/environments/prod/terraform.shop.prod.tfstate',
    );
    expect(await stateOf('--target', 'sandbox', '-e', 'default')).toBe(
      '../../../.castellan/terraform.shop.tfstate',
    );
    expect(await stateOf()).toBe('../../../terraform.shop.tfstate');
  });

  it('takes the configuration of the original for a copy of a sandbox, and the state of the copy', async () => {
    const copyOf = async (original: string) => {
      const folder = project({
        'castellan.yaml': group('shop'),
        'castellan.prod.yaml': 'groups: { g: { displayName: Of production } }\n',
        '.castellan/environments/trial/copy.json': JSON.stringify({ of: original }),
      });
      const env = { STAGE: 'x', CASTELLAN_ENVIRONMENT: 'trial' };
      const { exitCode } = await run(folder, ['synth', '--target', 'sandbox'], env);
      expect(exitCode).toBe(0);
      return readFileSync(join(folder, 'cdktf.out/stacks/shop/cdk.tf.json'), 'utf8');
    };
    const state = '../../../.castellan/environments/trial/terraform.shop.trial.tfstate';
    const copyOfDefault = await copyOf('default');
    expect(copyOfDefault).toContain('"G x"');
    expect(copyOfDefault).toContain(state);
    const copyOfProduction = await copyOf('prod');
    expect(copyOfProduction).toContain('Of production');
    expect(copyOfProduction).toContain(state);
  });

  it('reports a missing variable of the environment', async () => {
    const folder = project({ 'castellan.yaml': group('shop') });
    const { exitCode, stderr } = await run(folder, ['synth']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^castellan: CAS1002 An environment variable is missing: castellan\.yaml:3:\d+: \$\{env:STAGE\} is not set\n/,
    );
  });

  it('writes nothing from a configuration that violates a limit, and reports the place', async () => {
    const folder = project({
      'castellan.yaml':
        'version: 1\nstack: shop\ngroups: { g: { kind: security, displayName: G, mailNickname: "a b" } }\n',
    });
    const { exitCode, stderr } = await run(folder, ['synth']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/CAS8103.*\n {2}castellan\.yaml:3:\d+: .*mail nickname/);
    expect(existsSync(join(folder, 'cdktf.out'))).toBe(false);
  });

  it.each([
    [['synth', '--target', 'moon'], 2, /--target is azure or sandbox, not "moon"/],
    [['synth', 'nowhere'], 1, /nowhere does not exist/],
    [['synth', '--nonsense'], 2, /unknown option '--nonsense'/],
  ])('refuses %j', async (args, code, message) => {
    const { exitCode, stderr } = await run(project({}), args);
    expect({ exitCode, stderr }).toEqual({
      exitCode: code,
      stderr: expect.stringMatching(message) as string,
    });
  });

  it('reports a file in place of the output folder', async () => {
    const folder = project({ 'castellan.yaml': group('shop'), out: '' });
    const { exitCode, stderr } = await run(folder, ['synth', '--out', 'out'], { STAGE: 'x' });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('CAS2011') as string,
    });
  });

  it('accepts a finding that a comment in the configuration suppresses', async () => {
    const suppression =
      'castellan-ignore group-mail-nickname reason="older than the rule" owner=web until=2999-01-31';
    const group = `groups:\n  g:\n    kind: security\n    displayName: G\n    # ${suppression}\n    mailNickname: a b\n`;
    const folder = project({ 'castellan.yaml': `version: 1\nstack: s\n${group}` });
    expect((await run(folder, ['synth'])).stderr).toBe('');
    expect(readFileSync(join(folder, 'cdktf.out/stacks/s/cdk.tf.json'), 'utf8')).toContain(
      '"mail_nickname": "a b"',
    );
  });

  it('reports when there is nothing to synthesize', async () => {
    const { exitCode, stderr } = await run(project({}), ['synth']);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('there is no castellan.yaml in .');
  });
});
