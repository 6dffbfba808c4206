import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Section } from '../../kinds/stack/schema.js';
import { sourceInDeclaration } from './attribute-source.js';
import { makeFinding, makeUnknownFinding, type Subject, withGivenValue } from './finding-maker.js';
import type { UnknownValueCounts } from './unknown-value-counts.js';
import type { ReportDescriptor, Rule, RuleContext } from './rule.js';
import { type Declaration, StackIndex } from './stack-index.js';
import { valueAt } from './schema-validation.js';

/** Options of a run. */
export interface RunOptions {
  /** The time that rules compare dates with. @default the current time */
  readonly now?: Date;
  /** The options of rules, by id. */
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `declaration` skips rules that look at other declarations. */
  readonly scope: 'declaration' | 'stack';
  /** The earlier declarations, when a change is checked. */
  readonly base?: StackIndex | undefined;
  /**
   * Whether something is declared, even with mistakes, so that it is not removed.
   *
   * @default whether the index has it
   */
  readonly declares?: (section: Section, name: string) => boolean;
}

const noOptions: Readonly<Record<string, unknown>> = Object.freeze({});

/** Runs every rule on the declarations of its sections, in the order of the declarations. */
export function runRules(
  index: StackIndex,
  rules: readonly Rule[],
  options: RunOptions,
): readonly Finding[] {
  const findings: Finding[] = [];
  const { base, declares = (each: Section, name: string) => index.find(each, name) !== undefined } =
    options;
  const contexts = ruleContexts(options);
  contexts.reportTo(findings, index);
  for (const [section, sectionRules] of rulesBySection(rules, options)) {
    for (const declaration of index.all(section))
      for (const group of sectionRules.byWhenDeclared) runGroup(group, declaration, contexts);
    for (const declaration of base?.all(section) ?? []) {
      if (declares(section, declaration.name)) continue;
      for (const rule of sectionRules.allRules) {
        contexts.select(rule, declaration);
        rule.checkRemoved?.(declaration, contexts.context);
      }
    }
  }
  return findings;
}

/**
 * Runs every rule of scope `declaration`: like {@link runRules} with an index of one declaration.
 */
export function runRulesOnDeclaration(
  declaration: Declaration,
  index: StackIndex,
  rules: readonly Rule[],
  options: RunOptions,
): readonly Finding[] {
  return declarationRunner(rules, options)(declaration, index);
}

/**
 * Runs rules on one declaration of an index; unknown values may be counted instead of listed, if
 * there may be too many.
 */
export type DeclarationRunner = (
  declaration: Declaration,
  index: StackIndex,
  unknownCounts?: UnknownValueCounts,
) => readonly Finding[];

/** Prepares {@link runRulesOnDeclaration} for many declarations, such as resources of a plan. */
export function declarationRunner(rules: readonly Rule[], options: RunOptions): DeclarationRunner {
  const table = rulesBySection(rules, options);
  const contexts = ruleContexts(options);
  return (declaration, index, unknownCounts) => {
    const findings: Finding[] = [];
    contexts.reportTo(findings, index, unknownCounts);
    for (const group of table.get(declaration.section)?.byWhenDeclared ?? [])
      runGroup(group, declaration, contexts);
    return findings;
  };
}

/** Rules with the same `whenDeclared`, or none. */
interface RuleGroup {
  /** The property without which these rules skip a declaration; undefined if they skip none. */
  readonly whenDeclared: string | undefined;
  readonly rules: readonly Rule[];
}

/**
 * The rules of a section: all, and grouped by the property that they need, so that many can be
 * skipped at once.
 */
interface SectionRules {
  readonly allRules: readonly Rule[];
  readonly byWhenDeclared: readonly RuleGroup[];
}

type RuleTable = ReadonlyMap<Section, SectionRules>;

const tables = new WeakMap<readonly Rule[], ReadonlyMap<string, RuleTable>>();

/** The rules of each section, cached by list of rules: a plan needs them for every resource. */
function rulesBySection(rules: readonly Rule[], options: RunOptions): RuleTable {
  const key = options.base === undefined ? options.scope : `${options.scope} and change`;
  const cachedTable = tables.get(rules)?.get(key);
  if (cachedTable !== undefined) return cachedTable;
  const table = createRuleTable(rules, options);
  tables.set(rules, new Map([...(tables.get(rules) ?? []), [key, table]]));
  return table;
}

function createRuleTable(rules: readonly Rule[], options: RunOptions): RuleTable {
  return new Map(
    [...groupBySection(rules, options)].map(([section, allRules]) => [
      section,
      { allRules, byWhenDeclared: groupByWhenDeclared(allRules) },
    ]),
  );
}

function groupByWhenDeclared(rules: readonly Rule[]): readonly RuleGroup[] {
  const rulesWithCheck = rules.filter(({ check }) => check !== undefined);
  return [...new Set(rulesWithCheck.map((rule) => rule.whenDeclared))].map((whenDeclared) => ({
    whenDeclared,
    rules: rulesWithCheck.filter((rule) => rule.whenDeclared === whenDeclared),
  }));
}

function groupBySection(
  rules: readonly Rule[],
  { scope, base }: RunOptions,
): ReadonlyMap<Section, readonly Rule[]> {
  const map = new Map<Section, Rule[]>();
  for (const rule of rules) {
    const { scope: ruleScope = 'declaration' } = rule;
    if (
      ruleScope === 'change' ? base === undefined : ruleScope === 'stack' && scope === 'declaration'
    )
      continue;
    if (rule.check === undefined && rule.checkRemoved === undefined) continue;
    for (const section of rule.sections) map.set(section, [...(map.get(section) ?? []), rule]);
  }
  return map;
}

function runGroup(
  { whenDeclared, rules }: RuleGroup,
  declaration: Declaration,
  contexts: RuleContexts,
): void {
  const { unknownPaths } = declaration;
  const isKnown = unknownPaths.length === 0;
  const isDeclared =
    whenDeclared === undefined ||
    (declaration.value as Readonly<Record<string, unknown>>)[whenDeclared] !== undefined;
  if (!isDeclared && (isKnown || !unknownPaths.some((path) => overlaps(path, [whenDeclared]))))
    return;
  for (const rule of rules) {
    contexts.select(rule, declaration);
    const unknownPath = isKnown ? undefined : unknownPathRead(rule, unknownPaths);
    if (unknownPath === undefined) rule.check?.(declaration, contexts.context);
    else contexts.context.unknown(unknownPath);
  }
}

/** An unknown value that the rule needs. */
function unknownPathRead(
  { reads }: Rule,
  unknownPaths: readonly ConfigPath[],
): ConfigPath | undefined {
  if (reads === undefined) return undefined;
  const properties = parseReads(reads);
  return unknownPaths.find((path) => properties.some((property) => overlaps(path, property)));
}

const parsedReads = new WeakMap<readonly string[], readonly ConfigPath[]>();

/**
 * The parsed paths of the properties that a rule reads, cached: a plan needs them for every
 * resource.
 */
function parseReads(reads: readonly string[]): readonly ConfigPath[] {
  const parsed = parsedReads.get(reads) ?? reads.map((property) => property.split('.'));
  parsedReads.set(reads, parsed);
  return parsed;
}

/** The context of all rules in turn: it reports for the current rule and declaration. */
interface RuleContexts {
  readonly context: RuleContext;
  /** Sends the following reports to a list. */
  reportTo(findings: Finding[], index: StackIndex, unknownCounts?: UnknownValueCounts): void;
  /** Sets the rule and the declaration that the following reports are about. */
  select(rule: Rule, declaration: Declaration): void;
}

function ruleContexts({ base, now = new Date(), ruleOptions }: RunOptions): RuleContexts {
  let findings: Finding[] = [];
  let unknownCounts: UnknownValueCounts | undefined;
  let rule: Rule | undefined;
  let declaration: Declaration | undefined;
  // no accessor: V8 would create a new shape for each of a plan's thousands of contexts
  const context: { -readonly [Key in keyof RuleContext]: RuleContext[Key] } = {
    index: noIndex,
    base,
    now,
    options: noOptions,
    report(report: ReportDescriptor) {
      if (rule === undefined || declaration === undefined) return;
      findings.push(
        makeFinding(
          rule,
          withGivenValue(report, rule, declaration.value),
          subjectOf(declaration),
          context.index.locate,
        ),
      );
    },
    source: (path) =>
      declaration === undefined ? 'unknown' : sourceInDeclaration(declaration, path),
    unknown(path) {
      if (rule === undefined || declaration === undefined) return;
      const subject = subjectOf(declaration);
      if (unknownCounts?.countIfListIsFull(rule, path, subject) === true) return;
      findings.push(
        makeUnknownFinding(
          rule,
          { path, value: valueAt(declaration.value, path) },
          subject,
          context.index.locate,
        ),
      );
    },
  };
  return {
    context,
    reportTo(nextFindings, index, nextUnknownCounts) {
      findings = nextFindings;
      context.index = index;
      unknownCounts = nextUnknownCounts;
    },
    select(nextRule, nextDeclaration) {
      rule = nextRule;
      declaration = nextDeclaration;
      context.options = ruleOptions?.[nextRule.id] ?? noOptions;
    },
  };
}

/** The index of the context before the first declaration. */
const noIndex = new StackIndex(
  {},
  [],
  () => [],
  () => undefined,
);

function subjectOf({ section, name, origin }: Declaration): Subject {
  return { path: [section, name], origin };
}

/**
 * Whether a value at the path decides about the property: it is the property, contains it, or is
 * within it. `*` in the property means any key.
 */
function overlaps(path: ConfigPath, property: ConfigPath): boolean {
  return property.every(
    (step, index) => index >= path.length || step === '*' || step === path[index],
  );
}
