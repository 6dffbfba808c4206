import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Section } from '../schemas/stack.js';
import { makeFinding, makeUnknown } from './finding-maker.js';
import type { Report, Rule, RuleContext } from './rule.js';
import type { Declaration, StackIndex } from './stack-index.js';
import { startsWith } from './stack-index.js';
import { valueAt } from './validate.js';

/** How rules are run. */
export interface RunOptions {
  readonly now?: Date;
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `declaration` leaves out the rules that look at other declarations. */
  readonly scope: 'declaration' | 'stack';
  /** What was declared before, where a change is judged. */
  readonly base?: StackIndex | undefined;
  /** Whether something is declared, however badly: it is not gone. @default whether the index has it */
  readonly declares?: (section: Section, name: string) => boolean;
}

const none: Readonly<Record<string, unknown>> = Object.freeze({});

/** Runs every rule over the declarations of its sections, in the order of the declarations. */
export function runRules(index: StackIndex, rules: readonly Rule[], options: RunOptions): readonly Finding[] {
  const findings: Finding[] = [];
  const run = { ...options, index, now: options.now ?? new Date() };
  for (const [section, sectionRules] of tableOf(rules, options)) {
    for (const declaration of index.all(section)) {
      judge(sectionRules, declaration, run, findings);
    }
    const { declares = (each: Section, name: string) => index.find(each, name) !== undefined } = options;
    const gone = options.base?.all(section).filter(({ name }) => !declares(section, name)) ?? [];
    for (const declaration of gone) {
      const { context, use } = contextOf(declaration, run, findings);
      for (const rule of sectionRules) {
        use(rule);
        rule.checkRemoved?.(declaration, context);
      }
    }
  }
  return findings;
}

type RuleTable = ReadonlyMap<Section, readonly Rule[]>;

const tables = new WeakMap<readonly Rule[], Map<string, RuleTable>>();

/** The rules of each section, found once for each list of rules: a plan asks for every resource. */
function tableOf(rules: readonly Rule[], options: RunOptions): RuleTable {
  const own = tables.get(rules) ?? new Map<string, RuleTable>();
  tables.set(rules, own);
  const key = `${options.scope} ${String(options.base !== undefined)}`;
  const table = own.get(key) ?? bySection(rules, options);
  own.set(key, table);
  return table;
}

function bySection(rules: readonly Rule[], { scope, base }: RunOptions): RuleTable {
  const map = new Map<Section, Rule[]>();
  for (const rule of rules) {
    const { scope: own = 'declaration' } = rule;
    if (own === 'change' ? base === undefined : own === 'stack' && scope === 'declaration') continue;
    if (rule.check === undefined && rule.checkRemoved === undefined) continue;
    for (const section of rule.sections) map.set(section, [...(map.get(section) ?? []), rule]);
  }
  return map;
}

interface Run extends RunOptions {
  readonly index: StackIndex;
  readonly now: Date;
}

function judge(rules: readonly Rule[], declaration: Declaration, run: Run, findings: Finding[]): void {
  const { context, use } = contextOf(declaration, run, findings);
  const { unknownPaths } = declaration;
  for (const rule of rules) {
    if (rule.check === undefined) continue;
    use(rule);
    const open =
      unknownPaths.length === 0
        ? undefined
        : unknownPaths.find((path) => rule.reads?.some((property) => touches(path, property.split('.'))));
    if (open === undefined) rule.check(declaration, context);
    else context.unknown(open);
  }
}

/** One context for all rules that look at a declaration: it speaks for the rule that is used last. */
function contextOf(
  declaration: Declaration,
  { index, now, ruleOptions, base }: Run,
  findings: Finding[],
): { readonly context: RuleContext; readonly use: (rule: Rule) => void } {
  let current: Rule | undefined;
  const subject = { path: [declaration.section, declaration.name], origin: declaration.origin };
  const context: RuleContext = {
    index,
    base,
    now,
    get options() {
      return (current === undefined ? undefined : ruleOptions?.[current.id]) ?? none;
    },
    unknown(path) {
      if (current !== undefined)
        findings.push(makeUnknown(current, { path, value: valueAt(declaration.value, path) }, subject, index.locate));
    },
    report(report: Report) {
      if (current !== undefined) findings.push(makeFinding(current, report, subject, index.locate));
    },
  };
  return { context, use: (rule) => (current = rule) };
}

/** Whether a value at the path decides about the property: it is the property, around it, or in it. */
function touches(path: ConfigPath, property: ConfigPath): boolean {
  return startsWith(path, property) || startsWith(property, path);
}
