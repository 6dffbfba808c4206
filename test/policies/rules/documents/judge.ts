import type { FileAccess } from '../../../../core/source/file-access.js';
import { checkStack } from '../../../../policies/check/check-stack.js';
import { loadConfig } from '../../../../policies/model/load-config.js';

/** What a configuration says, the configuration, and the rule that speaks of it; none where nothing of weight is to be found. */
export type Case = readonly [what: string, yaml: string, rule: string];

/** The rules that find something in a configuration; those of no weight with `:info`. */
export async function rulesBrokenBy(yaml: string): Promise<readonly string[]> {
  const bytes = Buffer.from(`version: 1\nstack: test\n${yaml}`);
  const files: FileAccess = { look: () => ({ kind: 'file', size: bytes.length }), read: () => bytes, list: () => [] };
  const { stacks, findings } = await loadConfig({ paths: ['castellan.yaml'], files });
  const now = new Date('2026-11-21T00:00:00Z');
  return [...findings, ...stacks.flatMap((stack) => checkStack(stack, { env: {}, now }))]
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ ruleId, severity }) => (severity === 'info' ? `${ruleId}:info` : ruleId));
}

/** Registers a test for each case. */
export function judgeAll(cases: readonly Case[]): void {
  it.each(cases)('%s', async (_, yaml, rule) => {
    const broken = await rulesBrokenBy(yaml);
    if (rule === '') expect(broken.filter((each) => !each.endsWith(':info'))).toEqual([]);
    else expect(broken.map((each) => each.replace(/:info$/, ''))).toContain(rule);
  });
}
