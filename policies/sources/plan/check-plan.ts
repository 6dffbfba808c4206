import type { Finding } from '../../../core/findings/finding.js';
import type { Locate } from '../../engine/finding-maker.js';
import { makeFinding, withoutRepeats } from '../../engine/finding-maker.js';
import type { PlanRule } from '../../engine/plan-rule.js';
import { catalogued } from '../../engine/plan-rule.js';
import type { Rule } from '../../engine/rule.js';
import { runRules } from '../../engine/run-rules.js';
import { schemaFindings } from '../../engine/schema-findings.js';
import type { SchemaNode } from '../../engine/schema-paths.js';
import type { Declaration } from '../../engine/stack-index.js';
import { StackIndex } from '../../engine/stack-index.js';
import { planRules } from '../../plan-rules/index.js';
import { sections } from '../../schemas/stack.js';
import { declarationOf, originOf } from './declarations.js';
import type { PlannedResource } from './read-plan.js';

/** What a plan says, and what was in it. */
export interface PlanCheck {
  readonly findings: readonly Finding[];
  /** Those of the wanted declarations that the plan gave values for. */
  readonly judged: ReadonlyMap<string, Declaration>;
  readonly resources: number;
}

/** What a plan is held against. */
export interface PlanCheckOptions {
  readonly rules: readonly Rule[];
  /** The place of a declaration in the source, where a configuration declares it. */
  readonly locate: Locate;
  readonly now: Date;
  /** The declarations (`groups.shoppers`) whose values are wanted afterwards. */
  readonly wanted: ReadonlySet<string>;
  /** The rules about plans to run. @default all of them */
  readonly planRules?: readonly PlanRule[];
}

/** Mistakes that a plan can't have because Terraform has checked them, or because only part of a declaration is in it. */
const partial = new Set([
  'property-required',
  'property-unknown',
  'property-type',
  'reference-exists',
  'workspace-capacity',
  'auth-public-app',
  'group-two-owners',
]);

/** Checks a plan resource by resource, as it streams in: what it would do, and what it declares, by the same rules as the sources. */
export async function checkPlan(
  resources: AsyncIterable<PlannedResource> | Iterable<PlannedResource>,
  options: PlanCheckOptions,
): Promise<PlanCheck> {
  const findings: Finding[] = [];
  const judged = new Map<string, Declaration>();
  const enabled = new Set(options.rules.map(({ id }) => id));
  const active = (options.planRules ?? planRules).filter(({ id }) => enabled.has(id));
  const judging = options.rules.filter(({ id }) => !partial.has(id));
  let count = 0;
  for await (const resource of resources) {
    if (resource.mode !== 'managed') continue;
    count++;
    const declaration = declarationOf(resource);
    for (const rule of active) if (rule.types.includes(resource.type)) findings.push(...planFindings(rule, resource, declaration, options));
    if (declaration === undefined) continue;
    const key = `${declaration.section}.${declaration.name}`;
    if (options.wanted.has(key)) judged.set(key, declaration);
    findings.push(...judge(declaration, { ...options, rules: judging }));
  }
  return { findings: withoutRepeats(findings), judged, resources: count };
}

function planFindings(
  rule: PlanRule,
  resource: PlannedResource,
  declaration: Declaration | undefined,
  { locate }: PlanCheckOptions,
): readonly Finding[] {
  const findings: Finding[] = [];
  const path = declaration === undefined ? [resource.type, resource.name] : [declaration.section, declaration.name];
  rule.check(resource, ({ messageId, attribute = [], parameters = {} }) => {
    const subject = { path, origin: originOf(resource) };
    const finding = makeFinding(catalogued(rule), { messageId, parameters, path: attribute }, subject, locate);
    findings.push(finding);
  });
  return findings;
}

function judge(declaration: Declaration, { rules, locate, now }: PlanCheckOptions): readonly Finding[] {
  const { section, name, value, unknownPaths, origin } = declaration;
  const schema = sections[section] as unknown as SchemaNode;
  const mistakes = schemaFindings({ section, value, unknownPaths, schema, subject: { path: [section, name], origin } }, rules, locate);
  const index = new StackIndex({}, [declaration], () => [], locate);
  const all = [...mistakes, ...runRules(index, rules, { scope: 'declaration', now })];
  return all.filter(({ ruleId }) => !partial.has(ruleId));
}
