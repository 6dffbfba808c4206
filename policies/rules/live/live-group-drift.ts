import type { TSchema } from '@sinclair/typebox';
import { group } from '../../../kinds/group/group.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { canonicalValue } from '../../../kinds/schema/find-mistake.js';
import type { LiveReport, LiveRule, LiveGroupSubject } from '../../engine/live-rule.js';
import type { LiveObject } from '../../model/live-reader.js';

/** The properties that a group's declaration and the live group have in the same form. */
export const comparedProperties: readonly string[] = Object.keys(group.properties).filter(
  (name) => {
    const schema = group.inApi[name];
    return (
      schema !== undefined &&
      schema['type'] !== 'array' &&
      metadataOf(schema).outsideMainStore !== true
    );
  },
);

/** Other places where a declaration may set a property. */
const alternativePaths: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(group.properties.dynamicMembership.properties).map(([name, schema]) => [
    metadataOf(schema).api ?? name,
    ['dynamicMembership', name],
  ]),
);

export const liveGroupDrift: LiveRule = {
  id: 'live-group-drift',
  title: 'A group in the directory is as it is declared.',
  why: 'It was changed by hand: the next apply reverts that, or the declaration is out of date.',
  severity: 'warning',
  source: 'Directory rules, "Group properties" and "Group relationships"',
  messages: {
    differs: '{property} is {actual} in the directory, declared is {declared}',
    absent: '{given} is in {property} of the declaration, but not of the group in the directory',
    extra: '{given} is one of the {property} in the directory, but is not declared',
  },
  async check(subject, report) {
    const { declaration, group: actualGroup, owners } = subject;
    const { value, unknownPaths } = declaration;
    if (actualGroup === undefined) return;
    for (const property of comparedProperties) {
      const alternativePath = alternativePaths[property];
      const path =
        (value as Readonly<Record<string, unknown>>)[property] === undefined &&
        alternativePath !== undefined
          ? alternativePath
          : [property];
      const declared = path.reduce<unknown>(
        (value, step) => (value as Readonly<Record<string, unknown>> | undefined)?.[step],
        value,
      );
      const actual = actualGroup[property];
      if (
        declared === undefined ||
        actual === undefined ||
        isSameValue(declared, actual, group.inApi[property])
      )
        continue;
      if (
        unknownPaths.some((unknownPath) =>
          unknownPath.every((step, index) => path[index] === undefined || path[index] === step),
        )
      )
        continue;
      report({
        messageId: 'differs',
        path,
        parameters: { property, actual: valueText(actual), declared: valueText(declared) },
      });
    }
    if (value.ownersManagedElsewhere !== true) comparePrincipals('owners', owners, subject, report);
    const rule = actualGroup['membershipRule'];
    const isDynamic = rule !== undefined && rule !== null;
    if (value.members === undefined || value.membersManagedElsewhere === true || isDynamic) return;
    const members = await subject.members();
    if (members === undefined)
      report({
        messageId: 'unknown',
        path: ['members'],
        unknownBecause: 'the caller may not read the members, or there are too many to compare',
      });
    else comparePrincipals('members', members, subject, report);
  },
};

/**
 * Finds declared owners and members that are missing, and existing ones that are not declared. An
 * existing one may be a declared one who is not known yet.
 */
function comparePrincipals(
  property: 'owners' | 'members',
  liveObjects: readonly LiveObject[],
  { declaration: { value, unknownPaths }, refersTo, isIdentified }: LiveGroupSubject,
  report: (report: LiveReport) => void,
): void {
  const declared = value[property];
  if (!Array.isArray(declared) || unknownPaths.some(([first]) => first === property)) return;
  let isUndecided = false;
  declared.forEach((text: string, index) => {
    if (!isIdentified(text)) {
      isUndecided = true;
      const unknownBecause = `it is not known yet who ${text} is`;
      report({ messageId: 'unknown', path: [property, index], unknownBecause });
    } else if (!liveObjects.some((object) => refersTo(text, object)))
      report({
        messageId: 'absent',
        path: [property, index],
        parameters: { given: text, property },
      });
  });
  if (isUndecided) return;
  for (const object of liveObjects) {
    if (declared.some((text: string) => refersTo(text, object))) continue;
    report({
      messageId: 'extra',
      path: [property, object.name],
      parameters: { given: object.name, property },
    });
  }
}

/** Values such as Public match in any letter case; missing, empty and false are equal. */
function isSameValue(declared: unknown, actual: unknown, schema: TSchema = {} as TSchema): boolean {
  if (declared === actual) return true;
  const isNothing = (value: unknown): boolean => value === null || value === '' || value === false;
  if (isNothing(declared) && isNothing(actual)) return true;
  return (
    typeof declared === 'string' &&
    typeof actual === 'string' &&
    'enum' in schema &&
    canonicalValue(schema, actual) === canonicalValue(schema, declared)
  );
}

function valueText(value: unknown): string {
  return value === null || value === ''
    ? 'not set'
    : typeof value === 'string'
      ? `"${value}"`
      : String(value);
}
