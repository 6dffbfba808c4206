import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providerVersions } from '../../constructs/internal/provider-origins.js';
import { loadConfig } from '../../policies/index.js';
import type { ProviderName } from '../../provider/index.js';
import { loadProvider } from '../../provider/providers.js';
import { synthesize } from '../../stacks/index.js';
import { root } from '../support/cli.js';

const env = {
  ARM_TENANT_ID: '11111111-2222-4333-8444-555555555555',
  ARM_SUBSCRIPTION_ID: '99999999-2222-4333-8444-555555555555',
};

/**
 * Arguments that the schema data keep for the lower end of the range and the upper end no longer
 * takes.
 */
const lowerEndOnly = [
  'internet_ingestion_enabled',
  'internet_query_enabled',
  'local_authentication_disabled',
];

describe('the ranges of provider versions', () => {
  const { stacks } = loadStacks();

  it.each(Object.entries(providerVersions))(
    '%s: %s begins at the version of the bindings and ends before the next major one',
    (_, range) => {
      expect(range).toMatch(/^(~> \d+\.\d+|>= \d+\.\d+\.\d+, < \d+\.0\.0)$/);
    },
  );

  it('are in the output, in place of the exact versions of the bindings', async () => {
    const { terraform } = await synthesizeExample();
    const versions = Object.entries(terraform.required_providers).map(([name, { version }]) => [
      name,
      version,
    ]);
    expect(Object.fromEntries(versions)).toMatchObject(providerVersions);
  });

  it('accept every written argument at both ends, by the schema data', async () => {
    const { resource } = await synthesizeExample();
    let checkedCount = 0;
    for (const [type, resources] of Object.entries(resource)) {
      const provider = await loadProvider(type.split('_')[0] as ProviderName, () => {
        throw new Error('nothing is asked');
      });
      const schema = provider.schema.resources[type];
      expect([type, schema === undefined]).toEqual([type, false]);
      for (const each of Object.values(resources))
        for (const name of Object.keys(each).filter(
          (key) =>
            !['depends_on', 'lifecycle', 'provider', 'count', 'for_each', '//'].includes(key),
        )) {
          const isKnown =
            name in (schema?.attributes ?? {}) ||
            name in (schema?.blocks ?? {}) ||
            name === 'timeouts';
          expect([type, name, isKnown && !lowerEndOnly.includes(name)]).toEqual([type, name, true]);
          checkedCount++;
        }
    }
    expect(checkedCount).toBeGreaterThan(50);
  });

  function loadStacks(): { stacks: ReturnType<typeof loadConfig> } {
    return { stacks: loadConfig({ paths: ['examples/storefront'], cwd: root }) };
  }

  async function synthesizeExample(): Promise<{
    terraform: { required_providers: Record<string, { version: string }> };
    resource: Record<string, Record<string, object>>;
  }> {
    const outdir = mkdtempSync(join(tmpdir(), 'castellan-versions-'));
    const [stack] = synthesize({ stacks: (await stacks).stacks, outdir, env, cwd: root });
    return JSON.parse(readFileSync(stack?.file ?? '', 'utf8')) as Awaited<
      ReturnType<typeof synthesizeExample>
    >;
  }
});
