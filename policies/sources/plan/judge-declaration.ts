import type { Finding } from '../../../core/findings/finding.js';
import { runRulesOn } from '../../engine/run-rules.js';
import { schemaFindings } from '../../engine/schema-findings.js';
import type { SchemaNode } from '../../engine/schema-paths.js';
import type { Declaration } from '../../engine/stack-index.js';
import { StackIndex } from '../../engine/stack-index.js';
import { sections } from '../../../kinds/stack/schema.js';
import type { PlanCheckOptions } from './check-plan.js';
import type { Joined } from './joined.js';

/** Mistakes that a resource can't have because Terraform has checked them, or because only part of a declaration is in it. */
const partial = new Set(['property-required', 'property-unknown', 'reference-exists', 'workspace-capacity']);

/** What of a thing is elsewhere when a part of it stands alone, by its section. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  containerApps: ['ingress', 'replicas', 'secrets', 'image', 'name'],
  registrations: [],
};

/** Judges what resources declare by the rules that look at one declaration: the schema's and the catalogue's. */
export function declarationJudge({
  rules,
  ruleOptions,
  locate,
  now,
}: Pick<PlanCheckOptions, 'rules' | 'ruleOptions' | 'locate' | 'now'>): (declaration: Declaration) => readonly Finding[] {
  const judging = rules.filter(({ id }) => !partial.has(id));
  // Owners that nobody manages here are whoever they are.
  const withoutOwners = judging.filter(({ id }) => id !== 'group-two-owners');
  const run = { scope: 'declaration', now, ...(ruleOptions === undefined ? {} : { ruleOptions }) } as const;
  return (declaration) => {
    const { section, name, value, origin } = declaration;
    const missing = (declaration as Partial<Joined>).isWhole === false ? (elsewhere[section] ?? []) : [];
    const judged =
      missing.length === 0
        ? declaration
        : { ...declaration, unknownPaths: [...declaration.unknownPaths, ...missing.map((each) => [each])] };
    const { unknownPaths } = judged;
    const schema = sections[section] as unknown as SchemaNode;
    const mistakes = schemaFindings({ section, value, unknownPaths, schema, subject: { path: [section, name], origin } }, judging, locate);
    const isElsewhere = ({ verdict, path }: Finding): boolean => verdict === 'unknown' && missing.includes(String(path?.[2]));
    const own = mistakes.filter((finding) => !partial.has(finding.ruleId) && !isElsewhere(finding));
    // A boolean as a text has a rule of its own about plans.
    if (mistakes.some(({ ruleId, verdict }) => ruleId === 'property-type' && verdict === 'fail'))
      return own.filter(({ parameters }) => !(parameters['wanted'] === 'true or false' && typeof parameters['given'] === 'string'));
    const chosen = section === 'groups' && !Object.hasOwn(value, 'owners') ? withoutOwners : judging;
    const found = runRulesOn(judged, new StackIndex({}, [judged], noReferences, locate), chosen, run);
    if (own.length === 0 && missing.length === 0) return found;
    return [...own, ...found.filter((finding) => !isElsewhere(finding))];
  };
}

const noReferences = (): readonly never[] => [];
