import { strToU8, zipSync } from 'fflate';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runCli } from '../../support/run-cli.js';
import { useProject } from '../commands/support/project.js';

const { path, run } = useProject();

const manifest = {
  version: 1,
  target: 'sandbox',
  providers: 'castellan',
  environment: 'default',
  isProtected: false,
  apps: {},
  stacks: [{ name: 'shop', dependsOn: [] }],
};
const stackFiles = { 'shop/castellan.tfplan': strToU8('plan'), 'shop/cdk.tf.json': strToU8('{}') };

const writePlanFile = (text: string, files: Record<string, Uint8Array> = stackFiles): void =>
  writeFileSync(path('a.plan'), zipSync({ 'castellan-plan.json': strToU8(text), ...files }));

/** A program that plans and applies one change, and notes that it was called. */
const engine = (title: string): string => `#!/bin/sh
echo ${title} >> ${path('calls')}
case "$1" in
  version) echo '${title} v1.12.0' ;;
  plan) touch castellan.tfplan ;;
  show) echo '{"format_version":"1.2","resource_changes":[{"address":"a.b","type":"a","name":"b","mode":"managed","change":{"actions":["create"],"before":null,"after":{}}}]}' ;;
esac
`;

describe('a plan file', () => {
  it.each([
    ['is broken', '{'],
    ['is empty', ''],
    ['is of another version', { ...manifest, version: 2 }],
    ['names no stacks', { ...manifest, stacks: undefined }],
    ['does not say what a stack depends on', { ...manifest, stacks: [{ name: 'shop' }] }],
    [
      'names a stack that leads elsewhere',
      { ...manifest, stacks: [{ name: '../x', dependsOn: [] }] },
    ],
    ['names an environment that leads elsewhere', { ...manifest, environment: '../../x' }],
    ['has an unknown target', { ...manifest, target: 'moon' }],
    ['has an unknown engine', { ...manifest, engine: 'pulumi' }],
    ['does not say whether it is protected', { ...manifest, isProtected: undefined }],
  ])('is refused if its description %s', async (_, description) => {
    writePlanFile(typeof description === 'string' ? description : JSON.stringify(description));
    const { exitCode, stderr } = await run('up', '--plan', 'a.plan');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('a.plan is no file of `castellan plan --out` of version 1'),
    ]);
  });

  it.each(Object.keys(stackFiles))('is refused if it lacks %s', async (name) => {
    const { [name]: _, ...others } = stackFiles as Record<string, Uint8Array>;
    writePlanFile(JSON.stringify(manifest), others);
    expect((await run('up', '--plan', 'a.plan')).stderr).toContain(
      'CAS8105 A plan file cannot be applied: a.plan lacks the plan of the stack "shop"',
    );
  });

  it.each([
    [['--target', 'azure'], '--target sandbox, not azure'],
    [['--providers', 'official'], '--providers castellan, not official'],
  ])('is refused if it is not what the command line says: %j', async (options, difference) => {
    writePlanFile(JSON.stringify(manifest));
    const { exitCode, stderr } = await run('up', '--plan', 'a.plan', ...options);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`a.plan is a plan with ${difference}`),
    ]);
  });

  it.each([
    ['prod', 'default'],
    ['default', 'prod'],
    ['prod', 'test'],
  ])('of the environment %s is refused with -e %s', async (environment, named) => {
    writePlanFile(JSON.stringify({ ...manifest, environment }));
    expect(await run('up', '--plan', 'a.plan', '-e', named)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        `a.plan is a plan of the environment ${environment}, not of ${named}`,
      ) as string,
    });
  });

  it('is applied without paths: its stacks are those that were planned', async () => {
    writePlanFile(JSON.stringify(manifest));
    const { exitCode, stderr } = await run('up', 'shop', '--plan', 'a.plan');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('--plan applies the stacks in a.plan: leave out shop'),
    ]);
  });

  it('is applied with the engine that made it', async () => {
    for (const [program, title] of [
      ['terraform', 'Terraform'],
      ['tofu', 'OpenTofu'],
    ] as const)
      writeFileSync(path(program), engine(title), { mode: 0o755 });
    writeFileSync(path('castellan.yaml'), 'version: 1\nstack: shop\ndependsOn: []\n');
    const env = { PATH: `${path()}:${process.env['PATH'] ?? ''}` };
    const runWith = (args: readonly string[], variables: Readonly<Record<string, string>>) =>
      runCli(args, { cwd: path(), env: { ...env, ...variables } });
    const planned = await runWith(['plan', '--target', 'azure', '--out', 'a.plan'], {
      CASTELLAN_ENGINE: 'tofu',
    });
    expect(planned).toMatchObject({ exitCode: 0 });
    const apply = ['up', '--plan', 'a.plan', '--auto-approve'];
    expect(await runWith(apply, { CASTELLAN_ENGINE: 'terraform' })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'it is a plan of OpenTofu, and CASTELLAN_ENGINE asks for terraform',
      ) as string,
    });
    rmSync(path('calls'));
    expect(await runWith(apply, {})).toMatchObject({ exitCode: 0 });
    expect(new Set(readFileSync(path('calls'), 'utf8').trimEnd().split('\n'))).toEqual(
      new Set(['OpenTofu']),
    );
  });

  it('of the cloud is not applied if the command line says the sandbox', async () => {
    writePlanFile(JSON.stringify({ ...manifest, target: 'azure', providers: 'official' }));
    expect((await run('up', '--plan', 'a.plan', '--target', 'sandbox')).stderr).toContain(
      'a.plan is a plan with --target azure, not sandbox',
    );
  });
});
