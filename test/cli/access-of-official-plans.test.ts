import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppChange } from '../../access/compare/compare.js';
import type { ChangeProof } from '../../access/prove/proof.js';
import { compareWithApplied } from '../../cli/access/compare.js';
import type { StackPlan } from '../../cli/apply/plan-stacks.js';
import { root } from '../support/cli.js';

const officialPlansFolder = join(root, 'test/policies/sources/plan/official/storefront');
const storefront = readFileSync(join(root, 'examples/storefront/castellan.yaml'), 'utf8');

/** Who gains and loses access by a plan of the official providers, of the people in the example's seed. */
async function accessChange(
  plan: 'create' | 'change',
  yaml: string,
): Promise<{ readonly change: AppChange | undefined; readonly proof: ChangeProof | undefined }> {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-official-'));
  writeFileSync(join(cwd, 'castellan.yaml'), yaml);
  const text = readFileSync(join(officialPlansFolder, `${plan}.json`), 'utf8');
  const { changes, proofs } = await compareWithApplied(
    [{ stack: { name: 'storefront' }, plan: JSON.parse(text) as object } as unknown as StackPlan],
    {
      from: join(root, 'examples/storefront/seed.yaml'),
      target: 'azure',
      paths: ['.'],
      environment: undefined,
    },
    {
      cwd,
      env: { ARM_TENANT_ID: 'd119baaf-a8be-4c60-8604-1eb266d74d64', CODEHOST_SECRET: 'x' },
      stdout: { write: () => true },
      stderr: { write: () => true },
    } as unknown as Parameters<typeof compareWithApplied>[2],
  );
  const [change] = changes;
  return { change, proof: change && proofs.get(change) };
}

describe('plan --access of plans by the official providers', () => {
  it('finds no change where the applied groups and registrations are those declared', async () => {
    const { change, proof } = await accessChange('change', storefront);
    expect(change?.reasons).toEqual([]);
    expect(proof).toMatchObject({ gain: { verdict: 'none' }, loss: { verdict: 'none' } });
  });

  it('compares with the rule that the plan has read', async () => {
    const widened = storefront.replace('-eq "Retail"', '-ne "Sales"');
    const { change, proof } = await accessChange('change', widened);
    expect(change?.reasons).toMatchObject([
      {
        direction: 'gained',
        why: expect.stringMatching(/^the rule of shoppers is now .*-ne "Sales" /),
      },
    ]);
    expect(proof).toMatchObject({ gain: { verdict: 'new' }, loss: { verdict: 'none' } });
  });

  it('calls an app new that the plan creates', async () => {
    const { change } = await accessChange('create', storefront);
    expect(change?.reasons).toMatchObject([{ why: 'the app is new', count: 1 }]);
  });
});
