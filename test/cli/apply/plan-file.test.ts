import { strToU8, zipSync } from 'fflate';
import { writeFileSync } from 'node:fs';
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

  it('of the cloud is not applied if the command line says the sandbox', async () => {
    writePlanFile(JSON.stringify({ ...manifest, target: 'azure', providers: 'official' }));
    expect((await run('up', '--plan', 'a.plan', '--target', 'sandbox')).stderr).toContain(
      'a.plan is a plan with --target azure, not sandbox',
    );
  });
});
