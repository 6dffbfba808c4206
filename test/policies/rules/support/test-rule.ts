import type { FileAccess } from '../../../../core/source/file-access.js';
import { checkStack } from '../../../../policies/check/check-stack.js';
import { loadConfig } from '../../../../policies/model/load-config.js';

/** The rules that find something in a configuration; those of the severity info with `:info`. */
export async function rulesBrokenBy(yaml: string): Promise<readonly string[]> {
  const bytes = Buffer.from(`version: 1\nstack: test\n${yaml}`);
  const files: FileAccess = {
    stat: () => ({ kind: 'file', size: bytes.length }),
    read: () => bytes,
    list: () => [],
  };
  const { stacks, findings } = await loadConfig({ paths: ['castellan.yaml'], files });
  const now = new Date('2026-11-21T00:00:00Z');
  const broken = [
    ...findings,
    ...stacks.flatMap((stack) => checkStack(stack, { env: {}, now })),
  ].filter(({ verdict }) => verdict === 'fail');
  for (const { message } of broken) expect(message).not.toContain('undefined');
  return broken.map(({ ruleId, severity }) => (severity === 'info' ? `${ruleId}:info` : ruleId));
}

/** A sentence on a configuration, and the configuration. */
export type Example = readonly [what: string, yaml: string];

/**
 * Registers a test for each configuration in which a rule finds something, and for each in which no
 * rule finds anything but infos of other rules.
 */
export function testRule(
  rule: string,
  {
    finds,
    passes = [],
  }: { readonly finds: readonly Example[]; readonly passes?: readonly Example[] },
): void {
  describe(`the rule ${rule}`, () => {
    it.each(finds)('finds %s', async (_what, yaml) => {
      expect((await rulesBrokenBy(yaml)).map((each) => each.replace(/:info$/, ''))).toContain(rule);
    });
    if (passes.length > 0)
      it.each(passes)('lets pass %s', async (_what, yaml) => {
        const broken = await rulesBrokenBy(yaml);
        expect(broken.filter((each) => !each.endsWith(':info') || each === `${rule}:info`)).toEqual(
          [],
        );
      });
  });
}
