import type { RulePropertyType } from '../../kinds/membership-rule/ast.js';
import {
  apiPropertyOf,
  propertyGetter,
} from '../../kinds/membership-rule/evaluation/compile-rule.js';
import { parseMembershipRule, ruleProperties } from '../../kinds/membership-rule/index.js';
import { findRuleProperty, rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import { withAttributes } from '../../kinds/membership-rule/prove/example.js';
import { user } from '../../kinds/user/user.js';
import { propertyText, propertyValues } from '../explanation/property-values.js';
import { type RequestJson, readFirstPages } from './service-requests.js';

/** A property of a person that membership rules can read and that can be changed. */
export interface PersonProperty {
  /** As rules name it: `department`. */
  readonly name: string;
  readonly type: RulePropertyType;
  /** Empty if it is not set. */
  readonly value: string;
  /** The names of the groups whose rules read it. */
  readonly readBy: readonly string[];
}

/** Reads a person's properties, those that rules read first; undefined without such a person. */
export async function readPersonProperties(
  id: string,
  requestJson: RequestJson,
): Promise<readonly PersonProperty[] | undefined> {
  const readBy = await groupsByProperty(requestJson);
  const names = [...new Set([...readBy.keys(), ...rulePropertyNames('user')])].filter(canChange);
  const apiProperties = new Set(names.map((name) => apiPropertyOf('user', name)));
  const body = await requestJson<Record<string, unknown>>(
    'directory',
    `${personPath(id)}?$select=${[...apiProperties].join(',')}`,
  );
  if (body === undefined) return undefined;
  return names.map((name) => ({
    name,
    type: findRuleProperty('user', name)?.type ?? 'string',
    value: propertyText(propertyGetter('user', name)({ id, body })),
    readBy: readBy.get(name) ?? [],
  }));
}

/**
 * The body of the directory's PATCH request for changes of a person.
 *
 * @param properties by the names that membership rules use; '' removes a value
 */
export function personChanges(properties: Readonly<Record<string, unknown>>): object {
  const texts = Object.entries(properties).map(([name, value]) => [name, String(value)] as const);
  return withAttributes({}, propertyValues(Object.fromEntries(texts)), 'user');
}

/** The path of a person in the directory. */
export function personPath(id: string): string {
  return `/v1.0/users/${encodeURIComponent(id)}`;
}

/** The names of the groups whose rules read a property of people, by the property. */
async function groupsByProperty(requestJson: RequestJson): Promise<ReadonlyMap<string, string[]>> {
  const { entries: groups } = await readFirstPages<{
    displayName: string;
    membershipRule?: string | null;
  }>(requestJson, 'directory', '/v1.0/groups?$select=displayName,membershipRule&$top=100');
  const readBy = new Map<string, string[]>();
  for (const { displayName, membershipRule } of groups) {
    const { rule } = parseMembershipRule(membershipRule ?? '');
    if (rule?.subject !== 'user') continue;
    for (const name of ruleProperties(rule))
      readBy.set(name, [...(readBy.get(name) ?? []), displayName]);
  }
  return readBy;
}

/** Whether a property can be changed: those of the directory, and extensions of applications. */
function canChange(name: string): boolean {
  return (
    name.startsWith('extension_') || Object.hasOwn(user.properties, apiPropertyOf('user', name))
  );
}
