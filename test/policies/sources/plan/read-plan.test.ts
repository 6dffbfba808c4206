import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlan } from '../../../../policies/sources/plan/read-plan.js';
import type { PlannedResource } from '../../../../policies/engine/planned-resource.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'));
function fileWith(text: string | Buffer): string {
  const file = join(folder, `${String(Math.random())}.json`);
  writeFileSync(file, text);
  return file;
}
async function readResources(file: string): Promise<readonly PlannedResource[]> {
  return (await readPlan(file)).resources;
}

describe('reading a plan', () => {
  it('gives each resource with its actions, values and what is unknown', async () => {
    const change = {
      actions: ['delete', 'create'],
      before: { a: 1 },
      after: { a: 2 },
      after_unknown: { id: true },
      replace_paths: [['a']],
    };
    const plan = {
      format_version: '1.2',
      planned_values: {},
      resource_changes: [
        {
          address: 'azuread_group.g',
          mode: 'managed',
          type: 'azuread_group',
          name: 'g',
          provider_name: 'registry.terraform.io/hashicorp/azuread',
          change,
        },
      ],
    };
    expect(await readResources(fileWith(JSON.stringify(plan)))).toEqual([
      {
        address: 'azuread_group.g',
        mode: 'managed',
        type: 'azuread_group',
        name: 'g',
        providerName: 'registry.terraform.io/hashicorp/azuread',
        actions: ['delete', 'create'],
        before: { a: 1 },
        after: { a: 2 },
        afterUnknown: { id: true },
        replacePaths: [['a']],
      },
    ]);
  });

  it.each([
    [
      'a file that is not there',
      join(folder, 'missing.json'),
      /can't be read as a plan: it does not exist/,
    ],
    ['a folder', folder, /it is a folder/],
    [
      'an empty file',
      fileWith(''),
      /it is empty; expected is what terraform show -json PLANFILE prints/,
    ],
    ['a file that was cut', fileWith('{"resource_changes":[{"address":"a"'), /ends in the middle/],
    [
      'an element that is no JSON',
      fileWith('{"resource_changes":[{"address":}]}'),
      /can't be read as a plan: Unexpected token/,
    ],
    [
      'a mistake, with its line',
      fileWith('{"format_version":"1.2",\n"resource_changes":[{\n "a": 1 "b"}]}'),
      /, line 3, column 9; expected/,
    ],
    [
      'a comment',
      fileWith('{\n // ours\n"format_version":"1.2"}'),
      /Expected property name or '}', line 2, column 2/,
    ],
    [
      'changes that are no list',
      fileWith('{"format_version":"1.2","resource_changes":"x"}'),
      /its resource_changes is no list/,
    ],
    [
      'a map of changes',
      fileWith('{"format_version":"1.2","resource_changes":{"a":1}}'),
      /its resource_changes is no list/,
    ],
    [
      'changes that are no objects',
      fileWith('{"format_version":"1.2","resource_changes":[null]}'),
      /its resource_changes\[0\] is no object/,
    ],
    ['a compressed file', fileWith(Buffer.from([0x1f, 0x8b, 8])), /it is compressed by gzip/],
    [
      'a change without what it changes',
      fileWith('{"format_version":"1.2","resource_changes":[{}]}'),
      /resource_changes\[0\] is no change/,
    ],
    [
      'a state',
      fileWith('{"format_version":"1.0","values":{}}'),
      /it is a state; give it with --state/,
    ],
    [
      "Terraform's own state",
      fileWith('{"version":4,"lineage":"x","resources":[]}'),
      /it is a state; give it with --state/,
    ],
    ['any other object', fileWith('{}'), /has no format_version/],
    [
      'an encrypted plan',
      fileWith('{"meta":{},"encrypted_data":"abc","encryption_version":"v0"}'),
      /encrypted by OpenTofu; expected is what tofu show -json prints/,
    ],
    ['a list', fileWith('[]'), /it is no object/],
    [
      'a newer format',
      fileWith('{"format_version":"2.0","resource_changes":[]}'),
      /its format_version is "2.0"; known are those from 0.1 to 1.x/,
    ],
    ['half a plan', fileWith('{"format_version":"1.2","errored":true}'), /ended with an error/],
    ['the plan file', fileWith('PK\u0003\u0004'), /it is the plan file itself/],
    ['UTF-16', fileWith('{\u0000"\u0000'), /it is UTF-16/],
    [
      'the log of a plan',
      fileWith('{"@level":"info"}\n{"@level":"info"}\n'),
      /after JSON, line 2, column 1/,
    ],
  ])('refuses %s with one clear error', async (_case, file, message) => {
    await expect(readResources(file)).rejects.toMatchObject({
      code: 'CAS7101',
      message: expect.stringMatching(message),
    });
  });

  it('refuses a file that is larger than one text can be', async () => {
    const file = fileWith('{');
    truncateSync(file, 600 * 2 ** 20);
    await expect(readResources(file)).rejects.toMatchObject({
      code: 'CAS7101',
      message: expect.stringMatching(/it has 600 MB, and at most 5\d\d MB can be read/),
    });
  });
});
