import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terraformVariables, synthesizeConfig } from '../../stacks/index.js';
import { loadConfig } from '../../policies/index.js';
import {
  type ControlPlane,
  startControlPlane,
  subscriptionId,
  tenantId,
} from '../provider/support/control-plane.js';
import { createWorkspace, type Workspace } from '../provider/support/terraform.js';

const original = readFileSync(join(__dirname, 'fixtures/everything.yaml'), 'utf8');
const env = { ARM_TENANT_ID: tenantId, ARM_SUBSCRIPTION_ID: subscriptionId };
let controlPlane: ControlPlane;
let terraform: Workspace;

/** Synthesizes a configuration and puts it where Terraform works. */
async function synthesizeInto(folder: string, yaml: string): Promise<void> {
  const file = join(folder, 'castellan.yaml');
  writeFileSync(file, yaml);
  const [stack] = await synthesizeConfig({
    paths: [file],
    outdir: join(folder, 'out'),
    target: 'azure',
    env,
  });
  const json = JSON.parse(readFileSync(stack?.file ?? '', 'utf8')) as {
    terraform: { backend: unknown };
  };
  json.terraform.backend = { local: { path: 'terraform.tfstate' } };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(json));
  writeFileSync(
    join(folder, 'definition.tmpl'),
    readFileSync(join(stack?.directory ?? '', 'definition.tmpl')),
  );
  rmSync(file);
}

const planText = async (yaml: string): Promise<string> => {
  await synthesizeInto(terraform.folder, yaml);
  return terraform.succeed('plan');
};

beforeAll(async () => {
  controlPlane = await startControlPlane({ seed: join(__dirname, 'fixtures/seed.yaml') });
  const { stacks } = await loadConfig({ paths: [join(__dirname, 'fixtures/everything.yaml')] });
  const secrets = terraformVariables(
    stacks[0]?.config as never,
    {},
    (name) => `secret-of-${name}`,
  ).env;
  terraform = await createWorkspace({ ...controlPlane.env, ...secrets });
  await synthesizeInto(terraform.folder, original);
  await terraform.succeed('init');
});
afterAll(async () => {
  await terraform.remove();
  await controlPlane.close();
});

describe('a stack that declares everything', () => {
  it('is valid Terraform for every provider', async () => {
    expect(await terraform.succeed('validate')).toMatch(/Success! The configuration is valid\./);
  });

  it('applies, and plans no changes afterwards', async () => {
    expect(await terraform.succeed('apply', '-auto-approve')).toMatch(
      /Apply complete! Resources: 2\d added/,
    );
    expect(await terraform.succeed('plan')).toMatch(/No changes/);
  });

  it.each([
    [
      'a description',
      'description: The board',
      'description: All of the board',
      /0 to add, 1 to change, 0 to destroy/,
    ],
    [
      "a property of castellan's own",
      'preferredLanguage: en-GB',
      'preferredLanguage: en-US',
      /0 to add, 1 to change, 0 to destroy/,
    ],
    [
      'a member',
      'members: [grace]',
      'members: [ada, grace]',
      /0 to add, 1 to change, 0 to destroy/,
    ],
    [
      'an excluded path',
      'excludedPaths: [/healthz, /public/*]',
      'excludedPaths: [/healthz]',
      /0 to add, 1 to change, 0 to destroy/,
    ],
    [
      'a whole setting',
      '      preserveUrlFragments: true\n',
      '',
      /0 to add, 1 to change, 0 to destroy/,
    ],
    [
      'a node of a stream',
      'properties: { type: Bicycles }',
      'properties: { type: Buses }',
      /0 to add, 1 to change, 0 to destroy/,
    ],
    [
      'a retention',
      'retentionTimeInDays: 7',
      'retentionTimeInDays: 8',
      /0 to add, 1 to change, 0 to destroy/,
    ],
    [
      'units',
      'minimumConsumptionUnits: 4.25',
      'minimumConsumptionUnits: 8.5',
      /1 to add, 1 to change, 1 to destroy/,
    ],
    [
      "the secret's word of rotation",
      'rotation: "1"',
      'rotation: "2"',
      /1 to add, 1 to change, 1 to destroy/,
    ],
  ])('plans exactly the change of %s', async (_what, before, after, summary) => {
    expect(original).toContain(before);
    expect(await planText(original.replace(before, after))).toMatch(summary);
  });

  it('removes a deleted provider from the service', async () => {
    const withoutProvider = original.replace(/ {8}openIdConnect:\n.*\n/, '');
    await synthesizeInto(terraform.folder, withoutProvider);
    expect(await terraform.succeed('apply', '-auto-approve')).toMatch(
      /0 added, 2 changed, 0 destroyed/,
    );
    expect(await terraform.succeed('plan')).toMatch(/No changes/);
  });

  it('is gone after destroy', async () => {
    await synthesizeInto(terraform.folder, original);
    expect(await terraform.succeed('destroy', '-auto-approve')).toMatch(
      /Destroy complete! Resources: 2\d destroyed/,
    );
  });
});
