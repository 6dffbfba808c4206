import type { Finding } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { OpenValues } from '../../engine/open-values.js';
import { declarationRunner } from '../../engine/run-rules.js';
import { schemaFindings } from '../../rules/schema-findings.js';
import type { SchemaNode } from '../../engine/schema-paths.js';
import { type Declaration, StackIndex, startsWith } from '../../engine/stack-index.js';
import { valueAt } from '../../engine/validate.js';
import { sections } from '../../../kinds/stack/schema.js';
import { containerJudge } from './judge-containers.js';
import type { PlanCheckOptions } from './plan-check-options.js';
import type { Joined } from './joined.js';
import { later } from '../../../kinds/schema/readers.js';

/** Mistakes that a resource can't have because Terraform has checked them, or because only part of a declaration is in it. */
const partial = new Set(['property-required', 'property-unknown', 'reference-exists', 'workspace-capacity']);

/** What of a thing is elsewhere when only a part of it is declared, by its section. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  containerApps: ['ingress', 'replicas', 'secrets', 'image', 'name'],
  registrations: [],
  groups: [
    'kind',
    'displayName',
    'mailNickname',
    'mailEnabled',
    'securityEnabled',
    'groupTypes',
    'visibility',
    'membershipRule',
    'members',
  ],
};

/** Judges a declaration; values that are known only after apply may be counted, where they are too many to be named. */
export type DeclarationJudge = (declaration: Declaration, open?: OpenValues) => readonly Finding[];

/** Judges what resources declare by the rules that look at one declaration: the schema's and the catalogue's. */
export function declarationJudge({
  rules,
  ruleOptions,
  locate,
  now,
}: Pick<PlanCheckOptions, 'rules' | 'ruleOptions' | 'locate' | 'now'>): DeclarationJudge {
  const judging = rules.filter(({ id }) => !partial.has(id));
  const furtherFindings = containerJudge({ rules: judging, locate, now, ruleOptions });
  const run = { scope: 'declaration', now, ...(ruleOptions === undefined ? {} : { ruleOptions }) } as const;
  const runAll = declarationRunner(judging, run);
  // Owners that are not managed here stay as they are.
  const ownersStay = judging.filter(({ id }) => id !== 'group-two-owners');
  const runWithoutOwners = declarationRunner(ownersStay, run);
  return (declaration, open) => {
    const { section, name, value, origin } = declaration;
    const missing = (declaration as Partial<Joined>).isWhole === false ? (elsewhere[section] ?? []) : [];
    const results =
      missing.length === 0
        ? declaration
        : { ...declaration, unknownPaths: [...declaration.unknownPaths, ...missing.map((each) => [each])] };
    const { unknownPaths } = results;
    const schema = sections[section] as unknown as SchemaNode;
    const subject = { path: [section, name], origin };
    const openValues = missing.length === 0 ? open : undefined; // else some are left out
    const mistakes = schemaFindings({ section, value, unknownPaths, schema, subject }, judging, locate, openValues);
    const runRules = section === 'groups' && !Object.hasOwn(value, 'owners') ? runWithoutOwners : runAll;
    const judged = (sound: Declaration, openOfRules: OpenValues | undefined): readonly Finding[] =>
      runRules(sound, new StackIndex({}, [sound], noReferences, locate), openOfRules);
    if (mistakes.length === 0 && missing.length === 0) {
      const [findings, further] = [judged(results, openValues), furtherFindings(declaration)];
      return further.length === 0 ? findings : [...findings, ...further];
    }
    const isElsewhere = ({ verdict, path }: Finding): boolean => verdict === 'unknown' && missing.includes(String(path?.[2]));
    const own = mistakes.filter((finding) => !partial.has(finding.ruleId) && !isElsewhere(finding) && !isTextBoolean(finding));
    const typeMistakes = mistakes.filter(({ ruleId, verdict }) => ruleId === 'property-type' && verdict === 'fail');
    const wrong = typeMistakes.filter((finding) => !isTextBoolean(finding)).map(({ path = [] }) => path.slice(2));
    const findings = typeMistakes.length === 0 ? judged(results, openValues) : judged(withSoundValues(results, typeMistakes), undefined);
    const isWrong = ({ verdict, path }: Finding): boolean =>
      verdict === 'unknown' && wrong.some((each) => startsWith(path?.slice(2) ?? [], each));
    return [...own, ...findings.filter((finding) => !isElsewhere(finding) && !isWrong(finding)), ...furtherFindings(declaration)];
  };
}

/** A boolean as a text has a rule of its own about plans. */
function isTextBoolean({ ruleId, parameters }: Finding): boolean {
  return ruleId === 'property-type' && parameters['wanted'] === 'true or false' && typeof parameters['given'] === 'string';
}

/** A declaration of which rules can judge the rest: values of a wrong type are open, and a boolean as a text is what it says. */
function withSoundValues(declaration: Declaration, typeMistakes: readonly Finding[]): Declaration {
  const value = structuredClone(declaration.value) as Record<string, unknown>;
  const open: ConfigPath[] = [];
  for (const finding of typeMistakes) {
    const path = (finding.path ?? []).slice(2);
    const last = path.at(-1);
    const around = valueAt(value, path.slice(0, -1)) as Record<string | number, unknown> | undefined;
    if (around === undefined || last === undefined) continue;
    if (isTextBoolean(finding)) around[last] = ['true', 'yes', 'on'].includes(String(around[last]).toLowerCase());
    else {
      around[last] = Array.isArray(around) ? later : undefined;
      open.push(path);
    }
  }
  return { ...declaration, value, unknownPaths: [...declaration.unknownPaths, ...open] } as Declaration;
}

const noReferences = (): readonly never[] => [];
