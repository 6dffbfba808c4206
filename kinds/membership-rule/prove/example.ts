import { apiPropertyOf, type EvaluatedObject } from '../evaluation/compile-rule.js';
import type { RuleSubject } from '../ast.js';
import type { Values } from './atom.js';

/** Properties of rules that are the first value of a list in the API. */
const listProperties: ReadonlySet<string> = new Set(['telephoneNumber', 'sipProxyAddress']);
const exampleId = '00000000-0000-4000-8000-000000000000';

/** Values by the names of the rule language: `{ department: 'Sal' }`. */
export type ExampleAttributes = Readonly<Record<string, unknown>>;

/** The values of a subject's properties by name; other attributes are left out. */
export function attributesOf(values: Values, subject: RuleSubject): ExampleAttributes {
  const prefix = `${subject}.`;
  return Object.fromEntries(
    [...values].flatMap(([{ name }, value]) =>
      name.startsWith(prefix) && /^[\w.]+$/.test(name)
        ? [[name.slice(prefix.length), value] as const]
        : [],
    ),
  );
}

/** Values for the properties that no person or device lacks. */
const requiredProperties = {
  user: {
    displayName: 'Somebody',
    userPrincipalName: 'somebody@directory.example',
    accountEnabled: true,
  },
  device: { displayName: 'Some device', deviceId: exampleId, accountEnabled: true },
} as const;

/**
 * A person or device with these values, as the directory keeps it.
 *
 * @param otherProperties properties besides these and those that no object lacks.
 */
export function exampleObject(
  attributes: ExampleAttributes,
  subject: RuleSubject,
  otherProperties: Readonly<Record<string, unknown>> = {},
): EvaluatedObject {
  const { objectId } = attributes;
  const body = { ...requiredProperties[subject], ...otherProperties };
  return {
    id: typeof objectId === 'string' ? objectId : exampleId,
    body: withAttributes(body, attributes, subject),
  };
}

/** The properties of an object in the API, with these values of the rule language. */
export function withAttributes(
  properties: Readonly<Record<string, unknown>>,
  attributes: ExampleAttributes,
  subject: RuleSubject,
): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = { ...properties };
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'objectId' || name === 'manager') continue;
    const property = apiPropertyOf(subject, name);
    if (/^extensionAttribute\d+$/.test(name))
      body[property] = { ...(body[property] as object | undefined), [name]: value };
    else if (subject === 'user' && listProperties.has(name))
      body[property] = value === null ? [] : [value];
    else body[property] = value;
  }
  return body;
}
