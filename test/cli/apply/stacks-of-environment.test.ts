import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliRun, runCli } from '../../support/run-cli.js';

/** An engine that writes down what it is asked to do, and the state of the stack. */
const engine = `#!/bin/sh
case "$1" in
  version) echo "Terraform v1.11.4" ;;
  plan)
    for each in "$@"; do case "$each" in -out=*) touch "\${each#-out=}" ;; esac; done
    echo "$(basename "$PWD") $(grep -o '[^/"]*tfstate' cdk.tf.json)" >> "$CALLS"
    echo '{"@message":"planned","type":"x"}' ;;
  show) echo '{"format_version":"1.2","applyable":false,"resource_changes":[]}' ;;
esac
`;

describe('a stack without the overlay of the environment', () => {
  let folder: string;
  const write = (name: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  };
  const run = (...args: string[]): Promise<CliRun> =>
    runCli(args, {
      cwd: folder,
      env: { CASTELLAN_TERRAFORM: join(folder, 'terraform'), CALLS: join(folder, 'calls') },
    });
  const plannedStates = (): string[] =>
    existsSync(join(folder, 'calls'))
      ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n').sort()
      : [];
  const configuration = (stack: string): string =>
    `version: 1\nstack: ${stack}\ngroups:\n  ${stack}s: { kind: security, displayName: ${stack} }\n`;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-stacks-of-environment-'));
    write('terraform', engine, 0o755);
    write('a/castellan.yaml', configuration('a'));
    write('a/castellan.staging.yaml', 'version: 1\n');
    write('b/castellan.yaml', `protected: true\n${configuration('b')}`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['plan', []],
    ['up', ['--auto-approve']],
    ['down', ['--auto-approve']],
  ])('is left out of %s, and its default state untouched', async (command, approval) => {
    const { exitCode, stderr } = await run(
      ...[command, '--target', 'azure', '-e', 'staging', ...approval, 'a', 'b'],
    );
    expect([exitCode, plannedStates()]).toEqual([0, ['a terraform.a.staging.tfstate']]);
    expect(stderr).toContain(
      'is left out: b/castellan.staging.yaml does not exist, and only with it the stack is part of the environment staging (version: 1 is enough)',
    );
  });

  it('is not checked with the policy and the baseline of the environment', async () => {
    write('b/castellan.yaml', configuration('b').replace('kind', 'mailNickname: not ok, kind'));
    const { exitCode } = await run('plan', '--target', 'azure', '-e', 'staging', '.');
    expect([exitCode, plannedStates()]).toEqual([0, ['a terraform.a.staging.tfstate']]);
    const check = await run('check', '-e', 'staging');
    const synth = await run('synth', '-e', 'staging');
    expect([check.exitCode, synth.exitCode]).toEqual([0, 0]);
  });

  it('takes part with it, and in the default environment', async () => {
    await run('plan', '--target', 'azure', '.');
    expect(plannedStates()).toEqual(['a terraform.a.tfstate', 'b terraform.b.tfstate']);
    write('b/castellan.staging.yaml', 'version: 1\n');
    await run('plan', '--target', 'azure', '-e', 'staging', '.');
    expect(plannedStates()).toContain('b terraform.b.staging.tfstate');
  });

  it('is left out where a file of several stacks has the overlay of another one', async () => {
    write('castellan.yaml', `${configuration('c')}---\n${configuration('d')}`);
    write('castellan.staging.yaml', 'version: 1\nstack: c\n');
    const { stderr } = await run(
      ...['plan', '--target', 'azure', '-e', 'staging', 'castellan.yaml'],
    );
    expect(plannedStates()).toEqual(['c terraform.c.staging.tfstate']);
    expect(stderr).toContain(
      'd is left out: castellan.staging.yaml has no document for it, and only with one it is part of the environment staging (version: 1 and stack: d are enough)',
    );
  });

  it('is refused where the overlay of another environment was named instead', async () => {
    const { exitCode, stderr } = await run(
      ...['plan', '--target', 'azure', '-e', 'prod', 'a/castellan.staging.yaml'],
    );
    expect([exitCode, plannedStates()]).toEqual([4, []]);
    expect(stderr).toContain(
      'a is left out: a/castellan.staging.yaml was named, which is of the environment staging, not prod; name a/castellan.yaml',
    );
  });
});
