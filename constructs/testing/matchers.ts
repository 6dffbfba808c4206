import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../core/findings/finding.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import type { Declaration } from '../../policies/engine/stack-index.js';
import { rules } from '../../policies/rules/index.js';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { currentPolicy } from '../stack/current-policy.js';
import { declarationsOf } from '../stack/declarations.js';
import { checkTree } from '../stack/check-tree.js';
import { formatFinding } from '../stack/format-finding.js';
import { synthesized } from './terraform-json.js';

/** The result of a matcher, in the form that jest and vitest require. */
export interface MatcherResult {
  /** Whether the expectation holds, before `.not` negates it. */
  readonly pass: boolean;
  /** The text that the test runner shows when the expectation fails. */
  message(): string;
}

/** The `this` of a matcher in jest and vitest; a matcher called without it compares strictly. */
interface MatcherContext {
  equals?(actual: unknown, expected: unknown): boolean;
}

/** Properties that a declaration has to have, by their names in castellan.yaml. */
export type DeclaredProperties = Readonly<Record<string, unknown>>;

/** The matchers that `castellan/testing` adds to `expect(stack)`. */
export interface CastellanMatchers<R> {
  /**
   * The checks find no error and no warning; with `severity: 'info'`, no advice either.
   *
   * @example expect(stack).toHaveNoFindings();
   */
  toHaveNoFindings(options?: { readonly severity?: 'info' }): R;
  /**
   * The checks find an error, a warning or advice of this rule. `at` is the end of its location:
   * `main.ts:12` or `shop/main.ts:12:3`. For a construct of a library, it may be the line in the
   * library or the one that uses it. A rule that does not exist is refused, also behind `.not`.
   *
   * @example expect(stack).toHaveFinding('group-two-owners', { at: 'main.ts:12' });
   */
  toHaveFinding(ruleId: string, options?: { readonly at?: string }): R;
  /** The stack declares a group with these properties. */
  toHaveGroup(properties: DeclaredProperties): R;
  /** The stack declares a registration with these properties. */
  toHaveRegistration(properties: DeclaredProperties): R;
  /** The stack declares a container app with these properties. */
  toHaveContainerApp(properties: DeclaredProperties): R;
  /** The stack declares a workspace with these properties. */
  toHaveWorkspace(properties: DeclaredProperties): R;
  /** The stack declares an eventhouse with these properties. */
  toHaveEventhouse(properties: DeclaredProperties): R;
  /** The stack declares an eventstream with these properties. */
  toHaveEventstream(properties: DeclaredProperties): R;
  /**
   * Synthesis writes a resource of this type with these attributes, by their names in Terraform.
   *
   * @example expect(stack).toSynthesizeResource('azuread_group', { display_name: 'Shoppers' });
   */
  toSynthesizeResource(type: string, attributes: Readonly<Record<string, unknown>>): R;
}

/**
 * Matchers for `expect.extend` of jest and vitest; `castellan/testing/jest` extends the global
 * `expect` with them.
 *
 * @example expect.extend(matchers);
 */
export const matchers = {
  toHaveNoFindings(stack: Construct, { severity }: { readonly severity?: 'info' } = {}) {
    const findings = failures(stack).filter(
      (each) => severity === 'info' || each.severity !== 'info',
    );
    return {
      pass: findings.length === 0,
      message: () =>
        findings.length === 0
          ? `the checks of ${describeScope(stack)} find nothing, but a finding was expected`
          : `the checks of ${describeScope(stack)} find:${indentedLines(findings.map(formatFinding))}`,
    };
  },
  toHaveFinding(stack: Construct, ruleId: string, { at }: { readonly at?: string } = {}) {
    const findings = failures(stack);
    requireRule(ruleId);
    const match = findings.find((each) => each.ruleId === ruleId && isAt(each, at));
    const what = at === undefined ? ruleId : `${ruleId} at ${at}`;
    return {
      pass: match !== undefined,
      message: () =>
        match === undefined
          ? `the checks of ${describeScope(stack)} do not find ${what}, but:${indentedLines(findings.map(formatFinding))}`
          : `${what} was not expected:${indentedLines([formatFinding(match)])}`,
    };
  },
  toHaveGroup: declarationMatcher('groups', 'group'),
  toHaveRegistration: declarationMatcher('registrations', 'registration'),
  toHaveContainerApp: declarationMatcher('containerApps', 'container app'),
  toHaveWorkspace: declarationMatcher('workspaces', 'workspace'),
  toHaveEventhouse: declarationMatcher('eventhouses', 'eventhouse'),
  toHaveEventstream: declarationMatcher('eventstreams', 'eventstream'),
  toSynthesizeResource(
    this: MatcherContext | void,
    stack: Construct,
    type: string,
    attributes: Readonly<Record<string, unknown>>,
  ) {
    requireConstruct(stack);
    const { resource = {} } = synthesized(TerraformStack.of(stack));
    const candidates = Object.entries(resource[type] ?? {});
    const pass = candidates.some(([, each]) => hasProperties(each, attributes, this));
    const wanted = JSON.stringify(attributes);
    return {
      pass,
      message: () =>
        pass
          ? `${describeScope(stack)} synthesizes an ${type} with ${wanted}, which was not expected`
          : `${describeScope(stack)} synthesizes no ${type} with ${wanted}, but:${indentedLines(candidates.map(([name, each]) => `${name}: ${JSON.stringify(each)}`))}`,
    };
  },
} satisfies {
  readonly [Name in keyof CastellanMatchers<void>]: (
    stack: Construct,
    ...args: Parameters<CastellanMatchers<void>[Name]>
  ) => MatcherResult;
};

function failures(stack: Construct): readonly Finding[] {
  requireConstruct(stack);
  return checkTree(stack).filter(({ verdict }) => verdict === 'fail');
}

/** Whether the location of a finding, or the line that uses its library, ends with `at`. */
function isAt({ location, usedAt }: Finding, at: string | undefined): boolean {
  if (at === undefined) return true;
  return [location, usedAt].some((each) => {
    if (each === undefined) return false;
    const line = `${each.file}:${each.line}`;
    return [line, `${line}:${each.column}`].some(
      (place) => place === at || place.endsWith(`/${at}`),
    );
  });
}

function declarationMatcher(section: Declaration['section'], noun: string) {
  return function (
    this: MatcherContext | void,
    stack: Construct,
    properties: DeclaredProperties,
  ): MatcherResult {
    requireConstruct(stack);
    const candidates = declarationsOf(stack).filter((each) => each.section === section);
    const pass = candidates.some(({ value }) =>
      hasProperties(value as DeclaredProperties, properties, this),
    );
    const wanted = JSON.stringify(properties);
    return {
      pass,
      message: () =>
        pass
          ? `${describeScope(stack)} has a ${noun} with ${wanted}, which was not expected`
          : `${describeScope(stack)} has no ${noun} with ${wanted}, but:${indentedLines(candidates.map(({ value }) => JSON.stringify(value)))}`,
    };
  };
}

function hasProperties(
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
  context: MatcherContext | void,
): boolean {
  const equals = context?.equals ?? isDeepStrictEqual;
  return Object.entries(expected).every(([name, value]) => equals(actual[name], value));
}

function requireConstruct(stack: unknown): asserts stack is Construct {
  if (typeof stack !== 'object' || stack === null || !('node' in stack))
    throw new TypeError('expect() needs a construct: pass the stack, not its JSON');
}

/** Refuses the id of a rule that does not exist; rules of packs are not known here. */
function requireRule(ruleId: string): void {
  const ids = rules.map(({ id }) => id);
  const { packs = [] } = currentPolicy().config;
  if (packs.length > 0 || ids.includes(ruleId)) return;
  throw new TypeError(`there is no rule "${ruleId}"${didYouMean(nearest(ruleId, ids))}`);
}

function describeScope({ node }: Construct): string {
  return node.path === '' ? 'the app' : `the stack ${node.path}`;
}

function indentedLines(lines: readonly string[]): string {
  return lines.length === 0 ? ' nothing' : lines.map((line) => `\n  ${line}`).join('');
}
