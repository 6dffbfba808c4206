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
}

const none: Readonly<Record<string, unknown>> = Object.freeze({});

/** Runs every rule over the declarations of its sections, in the order of the declarations. */
export function runRules(index: StackIndex, rules: readonly Rule[], options: RunOptions): readonly Finding[] {
  const findings: Finding[] = [];
  const now = options.now ?? new Date();
  for (const [section, sectionRules] of bySection(rules, options.scope)) {
    for (const declaration of index.all(section)) {
      for (const rule of sectionRules) judge(rule, declaration, index, now, options.ruleOptions?.[rule.id] ?? none, findings);
    }
  }
  return findings;
}

function bySection(rules: readonly Rule[], scope: RunOptions['scope']): ReadonlyMap<Section, readonly Rule[]> {
  const map = new Map<Section, Rule[]>();
  for (const rule of rules) {
    if (rule.check === undefined || (scope === 'declaration' && rule.scope === 'stack')) continue;
    for (const section of rule.sections) map.set(section, [...(map.get(section) ?? []), rule]);
  }
  return map;
}

function judge(
  rule: Rule,
  declaration: Declaration,
  index: StackIndex,
  now: Date,
  options: Readonly<Record<string, unknown>>,
  findings: Finding[],
): void {
  const subject = { path: [declaration.section, declaration.name], origin: declaration.origin };
  const unknown = (path: ConfigPath): void =>
    void findings.push(makeUnknown(rule, { path, value: valueAt(declaration.value, path) }, subject, index.locate));
  if (declaration.unknownPaths.length > 0) {
    const open = declaration.unknownPaths.find((path) => rule.reads?.some((property) => touches(path, property.split('.'))));
    if (open !== undefined) return unknown(open);
  }
  const context: RuleContext = {
    index,
    options,
    now,
    unknown,
    report: (report: Report) => void findings.push(makeFinding(rule, report, subject, index.locate)),
  };
  rule.check?.(declaration, context);
}

/** Whether a value at the path decides about the property: it is the property, around it, or in it. */
function touches(path: ConfigPath, property: ConfigPath): boolean {
  return startsWith(path, property) || startsWith(property, path);
}
