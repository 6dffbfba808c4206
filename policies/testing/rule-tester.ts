import { checkStack } from '../check/check-stack.js';
import { applyFileEdits, editsFor } from '../check/fix-findings.js';
import { guardRule } from '../packs/guard-rule.js';
import type { Rule } from '../engine/rule.js';
import { loadConfig } from '../model/load-config.js';
import { runResourceRule } from '../engine/resource-rule.js';
import type { TerraformResource } from '../engine/terraform-resource.js';
import type { FileAccess } from '../../core/source/file-access.js';

/**
 * A resource of a plan or a state; the defaults are those of a plan that creates it in the root
 * module.
 */
export type TestResource = Pick<TerraformResource, 'type' | 'name' | 'values'> &
  Partial<TerraformResource>;

/**
 * The input of a rule: a configuration, or, for a rule about resources, the resources of a plan or
 * a state.
 */
export type CaseSubject =
  | {
      /** castellan.yaml; `version` and `stack` may be omitted, either or both. */
      readonly yaml: string;
      readonly resources?: undefined;
    }
  | { readonly resources: readonly TestResource[]; readonly yaml?: undefined };

/** An input without findings. */
export type ValidCase = CaseSubject & {
  /** The name of the test. @default the number of the case */
  readonly name?: string;
  /** The options of the rule, as a policy sets them. */
  readonly options?: Readonly<Record<string, unknown>>;
};

/** An input with findings. */
export type InvalidCase = ValidCase & {
  /**
   * The messages of the rule, in order, at least one: ids, or ids with the line (in YAML) or the
   * address (of a resource).
   */
  readonly messages: readonly (
    string | { readonly messageId: string; readonly line?: number; readonly address?: string }
  )[];
  /** The configuration after the fixes; for YAML only. @default not checked */
  readonly output?: string;
};

/** The cases of a rule. */
export interface RuleCases {
  /** Inputs without findings; a text is YAML. */
  readonly valid: readonly (string | ValidCase)[];
  /** Inputs with findings; at least one. */
  readonly invalid: readonly InvalidCase[];
}

/** What the tester needs of a test runner; jest, vitest and node:test have it. */
export interface TestRunner {
  /** Registers a test. */
  readonly it: (name: string, test: () => Promise<void>) => void;
}

/**
 * Tests a rule with configurations, or with the resources of a plan or a state, in any test runner.
 *
 * @example
 * new RuleTester({ it }).run(noRed, {
 *   valid: ['groups: {}'],
 *   invalid: [{ yaml: 'groups: { a: { … } }', messages: ['red'] }],
 * });
 */
export class RuleTester {
  constructor(private readonly runner: TestRunner) {}

  /**
   * Registers a test for every case. A rule without an invalid case is not tested: that is an
   * error.
   */
  run(rule: Rule, { valid, invalid }: RuleCases): void {
    if (invalid.length === 0) throw new Error(`the rule ${rule.id} has no invalid case`);
    for (const [index, validCase] of valid.entries()) {
      const each = typeof validCase === 'string' ? { yaml: validCase } : validCase;
      this.runner.it(`${rule.id}: ${each.name ?? `accepts case ${String(index + 1)}`}`, async () =>
        assertEqual((await runCase(rule, each)).messages, [], each),
      );
    }
    for (const [index, each] of invalid.entries()) {
      this.runner.it(
        `${rule.id}: ${each.name ?? `refuses case ${String(index + 1)}`}`,
        async () => {
          if (each.messages.length === 0)
            throw new Error('an invalid case needs a message of the rule');
          if (each.output !== undefined && each.yaml === undefined)
            throw new Error('output is checked for yaml only: resources have no fixes');
          const { messages, fixed } = await runCase(rule, each);
          if (each.output !== undefined) assertEqual([fixed], [each.output], each);
          const expected = each.messages.map((message) => {
            const { messageId, line, address, ...otherKeys } =
              typeof message === 'string' ? { messageId: message } : message;
            return { messageId, line, address, ...otherKeys };
          });
          const comparable = messages.map(({ messageId, line, address }, messageIndex) => ({
            messageId,
            ...(expected[messageIndex]?.line !== undefined && { line }),
            ...(expected[messageIndex]?.address !== undefined && { address }),
          }));
          assertEqual(comparable, expected, each);
        },
      );
    }
  }
}

interface CaseOutcome {
  readonly messages: readonly {
    readonly messageId: string;
    readonly line: number | undefined;
    readonly address: string | undefined;
  }[];
  /** The configuration after the fixes of the findings. */
  readonly fixed: string | undefined;
}

async function runCase(rule: Rule, testCase: ValidCase): Promise<CaseOutcome> {
  return testCase.resources === undefined
    ? runYamlCase(rule, testCase.yaml, testCase.options)
    : runResourcesCase(rule, testCase.resources, testCase.options);
}

async function runYamlCase(
  rule: Rule,
  yaml: string,
  options: ValidCase['options'],
): Promise<CaseOutcome> {
  if (rule.resources !== undefined && rule.check === undefined)
    throw new Error(`the rule ${rule.id} is about resources: give it resources`);
  const version = /^version:/m.test(yaml) ? '' : 'version: 1\n';
  const stackName = /^stack:/m.test(yaml) ? '' : 'stack: test\n';
  const header = version + stackName;
  const bytes = Buffer.from(header + yaml);
  const files: FileAccess = {
    stat: () => ({ kind: 'file', size: bytes.length }),
    read: () => bytes,
    list: () => [],
  };
  const { stacks, findings } = await loadConfig({ paths: ['castellan.yaml'], files });
  if (findings[0] !== undefined)
    throw new Error(`the case is no configuration: ${findings[0].message}\n${yaml}`);
  const headerLines = header.split('\n').length - 1;
  const check = {
    env: {},
    rules: [guardRule(rule)],
    ruleOptions: options === undefined ? {} : { [rule.id]: options },
  };
  const ruleFindings = stacks
    .flatMap((stack) => checkStack(stack, check))
    .filter(({ ruleId, verdict }) => ruleId === rule.id && verdict === 'fail');
  return {
    messages: ruleFindings.map(({ messageId, location }) => ({
      messageId,
      line: location === undefined ? undefined : location.line - headerLines,
      address: undefined,
    })),
    fixed: applyFileEdits(header + yaml, editsFor(ruleFindings, stacks)).slice(header.length),
  };
}

function runResourcesCase(
  rule: Rule,
  resources: readonly TestResource[],
  options: ValidCase['options'] = {},
): CaseOutcome {
  if (rule.resources === undefined)
    throw new Error(`the rule ${rule.id} is about declarations: give it yaml`);
  const completeResources = resources.map((each): TerraformResource => ({
    address: [each.module ?? '', each.type, each.name].filter((part) => part !== '').join('.'),
    module: '',
    actions: ['create'],
    unknown: [],
    references: {},
    ...each,
  }));
  const failures = runResourceRule(guardRule(rule), completeResources, {
    options,
    now: new Date(),
  }).filter(({ verdict }) => verdict === 'fail');
  return {
    messages: failures.map(({ messageId, terraformAddress }) => ({
      messageId,
      line: undefined,
      address: terraformAddress,
    })),
    fixed: undefined,
  };
}

function assertEqual(
  values: readonly unknown[],
  expected: readonly unknown[],
  { yaml, resources }: ValidCase,
): void {
  const [left, right] = [JSON.stringify(values), JSON.stringify(expected)];
  if (left !== right)
    throw new Error(
      `the rule said ${left}, expected was ${right}\n${yaml ?? JSON.stringify(resources)}`,
    );
}
