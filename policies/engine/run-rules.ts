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
}

const none: Readonly<Record<string, unknown>> = Object.freeze({});

/** Runs every rule over the declarations of its sections, in the order of the declarations. */
export function runRules(index: StackIndex, rules: readonly Rule[], options: RunOptions): readonly Finding[] {
  const findings: Finding[] = [];
  const now = options.now ?? new Date();
  for (const [section, sectionRules] of bySection(rules, options)) {
    for (const declaration of index.all(section)) {
      for (const rule of sectionRules) judge(rule, declaration, { ...options, index, now }, findings);
    }
    const gone = options.base?.all(section).filter(({ name }) => index.find(section, name) === undefined) ?? [];
    for (const declaration of gone) {
      for (const rule of sectionRules) rule.checkRemoved?.(declaration, contextOf(rule, declaration, { ...options, index, now }, findings));
    }
  }
  return findings;
}

function bySection(rules: readonly Rule[], { scope, base }: RunOptions): ReadonlyMap<Section, readonly Rule[]> {
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

function judge(rule: Rule, declaration: Declaration, run: Run, findings: Finding[]): void {
  if (rule.check === undefined) return;
  const context = contextOf(rule, declaration, run, findings);
  if (declaration.unknownPaths.length > 0) {
    const open = declaration.unknownPaths.find((path) => rule.reads?.some((property) => touches(path, property.split('.'))));
    if (open !== undefined) return context.unknown(open);
  }
  rule.check(declaration, context);
}

function contextOf(rule: Rule, declaration: Declaration, { index, now, ruleOptions, base }: Run, findings: Finding[]): RuleContext {
  const subject = { path: [declaration.section, declaration.name], origin: declaration.origin };
  return {
    index,
    base,
    options: ruleOptions?.[rule.id] ?? none,
    now,
    unknown: (path) => void findings.push(makeUnknown(rule, { path, value: valueAt(declaration.value, path) }, subject, index.locate)),
    report: (report: Report) => void findings.push(makeFinding(rule, report, subject, index.locate)),
  };
}

/** Whether a value at the path decides about the property: it is the property, around it, or in it. */
function touches(path: ConfigPath, property: ConfigPath): boolean {
  return startsWith(path, property) || startsWith(property, path);
}
