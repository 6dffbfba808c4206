import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireSupportedFeatures } from '../../../stacks/terraform/engine-features.js';
import type { Engine } from '../../../stacks/terraform/find-terraform.js';

const directory = mkdtempSync(join(tmpdir(), 'castellan-features-'));
afterAll(() => rmSync(directory, { recursive: true }));

const terraform = { name: 'terraform', title: 'Terraform', version: '1.11.4' } as const;
const tofu = (version: string): Engine => ({ name: 'tofu', title: 'OpenTofu', version });
const plain = { resource: { azuread_group: { staff: { lifecycle: { prevent_destroy: true } } } } };
const conditional = { resource: { azuread_group: { staff: { lifecycle: { enabled: false } } } } };
const ignoring = {
  resource: { azuread_group: { staff: { lifecycle: { ignore_changes: ['enabled'] } } } },
};
const excludeArguments = { TF_CLI_ARGS_plan: '-parallelism=3 -exclude=azuread_group.staff' };

const checkFeatures = (
  json: object,
  env: Record<string, string>,
  engine: Engine,
): Promise<void> => {
  writeFileSync(join(directory, 'cdk.tf.json'), JSON.stringify(json, undefined, 2));
  return requireSupportedFeatures({ directory, env }, 'engine', () => Promise.resolve(engine));
};

test.each([
  ['lifecycle.enabled needs OpenTofu 1.11 or later', conditional, {}, terraform],
  ['lifecycle.enabled needs OpenTofu 1.11 or later', conditional, {}, tofu('1.10.5')],
  ['-exclude needs OpenTofu 1.9 or later', plain, excludeArguments, terraform],
  ['-exclude needs OpenTofu 1.9 or later', plain, excludeArguments, tofu('1.8.0')],
])('refuses: %s', async (message, json, env, engine) => {
  await expect(checkFeatures(json, env, engine)).rejects.toMatchObject({
    code: 'CAS2110',
    message: expect.stringContaining(`${message}, and engine is ${engine.title}`) as string,
  });
});

test.each([
  ['the features of an OpenTofu that has them', conditional, excludeArguments, tofu('1.12.6')],
  ['an ignored attribute of the same name', ignoring, {}, terraform],
  ['a stack without them, whatever the engine', plain, { TF_CLI_ARGS: '-no-color' }, terraform],
])('accepts %s', async (_what, json, env, engine) => {
  await expect(checkFeatures(json, env, engine)).resolves.toBeUndefined();
});
