import type { RulePropertyType } from '../../kinds/membership-rule/ast.js';
import { apiPropertyOf, readerOf } from '../../kinds/membership-rule/evaluation/compile-rule.js';
import { parseMembershipRule, ruleProperties } from '../../kinds/membership-rule/index.js';
import { findRuleProperty, rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import { withAttributes } from '../../kinds/membership-rule/prove/example.js';
import { user } from '../../kinds/user/user.js';
import { propertyText, propertyValues } from '../explanation/property-values.js';
import { type RequestJson, readAll } from './service-requests.js';

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
  ask: RequestJson,
): Promise<readonly PersonProperty[] | undefined> {
  const readBy = await groupsByProperty(ask);
  const names = [...new Set([...readBy.keys(), ...rulePropertyNames('user')])].filter(canChange);
  const fields = new Set(names.map((name) => apiPropertyOf('user', name)));
  const body = await ask<Record<string, unknown>>(
    'directory',
    `${personPath(id)}?$select=${[...fields].join(',')}`,
  );
  if (body === undefined) return undefined;
  return names.map((name) => ({
    name,
    type: findRuleProperty('user', name)?.type ?? 'string',
    value: propertyText(readerOf('user', name)({ id, body })),
    readBy: readBy.get(name) ?? [],
  }));
}

/** What the directory is sent to change properties by the names of rules; '' removes a value. */
export function personChanges(properties: Readonly<Record<string, unknown>>): object {
  const texts = Object.entries(properties).map(([name, value]) => [name, String(value)] as const);
  return withAttributes({}, propertyValues(Object.fromEntries(texts)), 'user');
}

/** The directory's path of a person. */
export function personPath(id: string): string {
  return `/v1.0/users/${encodeURIComponent(id)}`;
}

/** The groups whose rules read a property of people, by its name. */
async function groupsByProperty(ask: RequestJson): Promise<ReadonlyMap<string, string[]>> {
  const groups = await readAll<{ displayName: string; membershipRule?: string | null }>(
    ask,
    'directory',
    '/v1.0/groups?$select=displayName,membershipRule&$top=100',
  );
  const readBy = new Map<string, string[]>();
  for (const { displayName, membershipRule } of groups) {
    const { rule } = parseMembershipRule(membershipRule ?? '');
    if (rule?.subject !== 'user') continue;
    for (const name of ruleProperties(rule))
      readBy.set(name, [...(readBy.get(name) ?? []), displayName]);
  }
  return readBy;
}

/** Whether the directory lets a property be changed: extensions of applications can be. */
function canChange(name: string): boolean {
  return (
    name.startsWith('extension_') || Object.hasOwn(user.properties, apiPropertyOf('user', name))
  );
}
