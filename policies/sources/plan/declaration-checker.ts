import type { Finding } from '../../../core/findings/finding.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { UnknownValueCounts } from '../../engine/unknown-value-counts.js';
import { declarationRunner } from '../../engine/run-rules.js';
import { groupRoleAssignable } from '../../rules/declaration/group-role-assignable.js';
import { schemaFindings } from '../../rules/declaration/schema-findings.js';
import { withoutInvalidParts } from '../../engine/valid-parts.js';
import type { SchemaNode } from '../../engine/schema-paths.js';
import { type Declaration, StackIndex, startsWith } from '../../engine/stack-index.js';
import { valueAt } from '../../engine/schema-validation.js';
import { sections } from '../../../kinds/stack/schema.js';
import { containerChecker } from './container-checker.js';
import type { PlanCheckOptions } from './plan-check-options.js';
import type { JoinedDeclaration } from './joined-declarations.js';

/**
 * Rules that one resource cannot break because Terraform has checked them, or because it has only
 * part of a declaration.
 */
const rulesOfWholeDeclarations = new Set([
  'property-required',
  'property-unknown',
  'reference-exists',
  'workspace-capacity',
]);

/** The properties that are elsewhere if only a part is declared, by section. */
const propertiesOfOtherParts: Readonly<Record<string, readonly string[]>> = {
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

/** Checks a declaration; unknown values may be counted, if there are too many to list. */
export type DeclarationChecker = (
  declaration: Declaration,
  unknownCounts?: UnknownValueCounts,
) => readonly Finding[];

/**
 * A function that checks the declarations in resources by the rules of scope `declaration`: those
 * of the schema and the others.
 */
export function declarationChecker({
  rules,
  ruleOptions,
  locate,
  now,
}: Pick<PlanCheckOptions, 'rules' | 'ruleOptions' | 'locate' | 'now'>): DeclarationChecker {
  const activeRules = rules.filter(({ id }) => !rulesOfWholeDeclarations.has(id));
  const checkContainers = containerChecker({ rules: activeRules, locate, now, ruleOptions });
  const runOptions = {
    scope: 'declaration',
    now,
    ...omitUndefined({ ruleOptions }),
  } as const;
  const runAll = declarationRunner(activeRules, runOptions);
  // a group without owners in its resource keeps the owners that it has
  const rulesWithoutOwners = activeRules.filter(({ id }) => id !== 'group-two-owners');
  const runWithoutOwners = declarationRunner(rulesWithoutOwners, runOptions);
  return (declaration, allUnknownCounts) => {
    const { section, name, value, origin } = declaration;
    const propertiesElsewhere =
      (declaration as Partial<JoinedDeclaration>).hasPrimaryResource === false
        ? (propertiesOfOtherParts[section] ?? [])
        : [];
    const completedDeclaration =
      propertiesElsewhere.length === 0
        ? declaration
        : {
            ...declaration,
            unknownPaths: [
              ...declaration.unknownPaths,
              ...propertiesElsewhere.map((each) => [each]),
            ],
          };
    const { unknownPaths } = completedDeclaration;
    const schema = sections[section] as unknown as SchemaNode;
    const subject = { path: [section, name], origin };
    // counts would include values of the other parts
    const unknownCounts = propertiesElsewhere.length === 0 ? allUnknownCounts : undefined;
    const mistakes = schemaFindings(
      { section, value, unknownPaths, schema, subject },
      activeRules,
      locate,
      unknownCounts,
    );
    const runRules =
      section === 'groups' && !Object.hasOwn(value, 'owners') ? runWithoutOwners : runAll;
    const runOn = (
      soundDeclaration: Declaration,
      unknownCountsOfRules: UnknownValueCounts | undefined,
    ): readonly Finding[] =>
      runRules(
        soundDeclaration,
        new StackIndex({}, [soundDeclaration], noReferences, locate),
        unknownCountsOfRules,
      ).filter((finding) => !isAboutUnknownMember(finding));
    if (mistakes.length === 0 && propertiesElsewhere.length === 0) {
      const [findings, containerFindings] = [
        runOn(completedDeclaration, unknownCounts),
        checkContainers(declaration),
      ];
      return containerFindings.length === 0 ? findings : [...findings, ...containerFindings];
    }
    const isElsewhere = ({ verdict, path }: Finding): boolean =>
      verdict === 'unknown' && propertiesElsewhere.includes(String(path?.[2]));
    const ownMistakes = mistakes.filter(
      (finding) =>
        !rulesOfWholeDeclarations.has(finding.ruleId) &&
        !isElsewhere(finding) &&
        !isTextBoolean(finding),
    );
    const typeMistakes = mistakes.filter(
      ({ ruleId, verdict }) => ruleId === 'property-type' && verdict === 'fail',
    );
    const mistypedPaths = typeMistakes
      .filter((finding) => !isTextBoolean(finding))
      .map(({ path = [] }) => path.slice(2));
    const findings =
      typeMistakes.length === 0
        ? runOn(completedDeclaration, unknownCounts)
        : runOn(withSoundValues(completedDeclaration, typeMistakes), undefined);
    const isOfMistypedValue = ({ verdict, path }: Finding): boolean =>
      verdict === 'unknown' && mistypedPaths.some((each) => startsWith(path?.slice(2) ?? [], each));
    return [
      ...ownMistakes,
      ...findings.filter((finding) => !isElsewhere(finding) && !isOfMistypedValue(finding)),
      ...checkContainers(declaration),
    ];
  };
}

/**
 * Whether a role-assignable group has a member of unknown kind, which `UndeterminedGroups` finds
 * in the configuration of the plan.
 */
function isAboutUnknownMember({ ruleId, verdict, path }: Finding): boolean {
  return verdict === 'unknown' && ruleId === groupRoleAssignable.id && path?.[2] === 'members';
}

/** A plan rule of its own reports booleans as text. */
function isTextBoolean({ ruleId, parameters }: Finding): boolean {
  return (
    ruleId === 'property-type' &&
    parameters['wanted'] === 'true or false' &&
    typeof parameters['given'] === 'string'
  );
}

/**
 * A declaration that rules can check: values of a wrong type become unknown, and a boolean as text
 * becomes a boolean.
 */
function withSoundValues(declaration: Declaration, typeMistakes: readonly Finding[]): Declaration {
  const mistypedPaths = typeMistakes
    .filter((finding) => !isTextBoolean(finding))
    .map(({ path = [] }) => path.slice(2));
  const schema = sections[declaration.section] as unknown as SchemaNode;
  const { value, removedPaths } = withoutInvalidParts(declaration.value, mistypedPaths, schema);
  for (const finding of typeMistakes.filter(isTextBoolean)) {
    const path = (finding.path ?? []).slice(2);
    const parent = valueAt(value, path.slice(0, -1)) as
      Record<string | number, unknown> | undefined;
    const last = path.at(-1);
    if (parent === undefined || last === undefined) continue;
    parent[last] = ['true', 'yes', 'on'].includes(String(parent[last]).toLowerCase());
  }
  return {
    ...declaration,
    value,
    unknownPaths: [...declaration.unknownPaths, ...removedPaths],
  } as unknown as Declaration;
}

const noReferences = (): readonly never[] => [];
