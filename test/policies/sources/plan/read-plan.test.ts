import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlan } from '../../../../policies/sources/plan/read-plan.js';
import type { PlannedResource } from '../../../../policies/sources/plan/read-plan.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'));
function fileWith(text: string): string {
  const file = join(folder, `${String(Math.random())}.json`);
  writeFileSync(file, text);
  return file;
}
async function all(file: string): Promise<PlannedResource[]> {
  const resources: PlannedResource[] = [];
  for await (const resource of readPlan(file)) resources.push(resource);
  return resources;
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
    expect(await all(fileWith(JSON.stringify(plan)))).toEqual([
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
    ['a file that is not there', join(folder, 'missing.json'), /can't be read/],
    ['an empty file', fileWith(''), /is empty/],
    ['a file that was cut', fileWith('{"resource_changes":[{"address":"a"'), /ends in the middle/],
    ['an element that is no JSON', fileWith('{"resource_changes":[{"address":}]}'), /can't be read as a plan/],
  ])('refuses %s with one clear error', async (_case, file, message) => {
    await expect(all(file)).rejects.toMatchObject({ code: 'CAS7101', message: expect.stringMatching(message) });
  });
});
