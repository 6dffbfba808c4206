import { checkStack } from '../check/check-stack.js';
import { editedText, editsFor } from '../fixing/fix-findings.js';
import { guardedRule } from '../packs/guard-rule.js';
import type { Rule } from '../engine/rule.js';
import { loadConfig } from '../model/load-config.js';
import type { FileAccess } from '../../core/source/file-access.js';

/** A configuration that breaks a rule, and how. */
export interface InvalidCase {
  readonly name?: string;
  /** castellan.yaml; `version` and `stack` may be left out. */
  readonly yaml: string;
  /** The messages that the rule gives, in order: ids, or ids with the line. */
  readonly messages: readonly (string | { readonly messageId: string; readonly line?: number })[];
  /** The configuration once the fixes of the findings are made. @default not looked at */
  readonly output?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A configuration that keeps a rule. */
export interface ValidCase {
  readonly name?: string;
  readonly yaml: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What a rule is tested with. */
export interface RuleCases {
  readonly valid: readonly (string | ValidCase)[];
  readonly invalid: readonly InvalidCase[];
}

/** What a test runner offers; jest, vitest and node:test do. */
export interface TestRunner {
  readonly it: (name: string, test: () => Promise<void>) => void;
}

/**
 * Tests a rule with configurations, in any test runner.
 *
 * @example
 * new RuleTester({ it }).run(noRed, { valid: ['groups: {}'], invalid: [{ yaml: 'groups: { a: { … } }', messages: ['red'] }] });
 */
export class RuleTester {
  constructor(private readonly runner: TestRunner) {}

  /** Registers a test for every case. A rule that has no invalid case can't be seen to work: that is an error. */
  run(rule: Rule, { valid, invalid }: RuleCases): void {
    if (invalid.length === 0) throw new Error(`the rule ${rule.id} has no invalid case`);
    for (const [index, each] of valid.entries()) {
      const { name = `accepts case ${String(index + 1)}`, yaml, options } = typeof each === 'string' ? { yaml: each } : each;
      this.runner.it(`${rule.id}: ${name}`, async () => same((await judged(rule, yaml, options)).messages, [], yaml));
    }
    for (const [index, { name = `refuses case ${String(index + 1)}`, yaml, messages, options, output }] of invalid.entries()) {
      this.runner.it(`${rule.id}: ${name}`, async () => {
        const { messages: given, fixed } = await judged(rule, yaml, options);
        if (output !== undefined) same([fixed], [output], yaml);
        const expected = messages.map((each) => (typeof each === 'string' ? { messageId: each } : each));
        const comparable = given.map(({ messageId, line }, place) =>
          expected[place]?.line === undefined ? { messageId } : { messageId, line },
        );
        same(comparable, expected, yaml);
      });
    }
  }
}

interface Judged {
  readonly messages: readonly { readonly messageId: string; readonly line: number | undefined }[];
  /** The configuration with the fixes of the findings. */
  readonly fixed: string;
}

async function judged(rule: Rule, yaml: string, options: Readonly<Record<string, unknown>> | undefined): Promise<Judged> {
  const head = /^version:/m.test(yaml) ? '' : 'version: 1\nstack: test\n';
  const bytes = Buffer.from(head + yaml);
  const files: FileAccess = { look: () => ({ kind: 'file', size: bytes.length }), read: () => bytes, list: () => [] };
  const { stacks, findings } = await loadConfig({ paths: ['castellan.yaml'], files });
  if (findings[0] !== undefined) throw new Error(`the case is no configuration: ${findings[0].message}\n${yaml}`);
  const lines = head === '' ? 0 : 2;
  const check = { env: {}, rules: [guardedRule(rule)], ruleOptions: options === undefined ? {} : { [rule.id]: options } };
  const own = stacks.flatMap((stack) => checkStack(stack, check)).filter(({ ruleId, verdict }) => ruleId === rule.id && verdict === 'fail');
  return {
    messages: own.map(({ messageId, location }) => ({ messageId, line: location === undefined ? undefined : location.line - lines })),
    fixed: editedText(head + yaml, editsFor(own, stacks)).slice(head.length),
  };
}

function same(given: readonly unknown[], expected: readonly unknown[], yaml: string): void {
  const [left, right] = [JSON.stringify(given), JSON.stringify(expected)];
  if (left !== right) throw new Error(`the rule said ${left}, expected was ${right}\n${yaml}`);
}
