import { auth } from '../../../kinds/auth/auth.js';
import type { PlanRule } from '../../engine/plan-rule.js';
import { azapiBodyOf } from '../../engine/planned-resource.js';

export const planTextBoolean: PlanRule = {
  id: 'plan-text-boolean',
  title: 'Booleans in the body of the sign-in layer are booleans, not texts.',
  why: 'The official provider lets "yes" and "true" through as text, and the service interprets it unpredictably.',
  severity: 'error',
  source: 'the official provider (azapi) checks no boolean',
  types: ['azapi_resource'],
  messages: { text: '{property} is the text "{given}"; write {wanted} without quotes' },
  check({ after }, report) {
    const { type } = (after ?? {}) as { readonly type?: unknown };
    if (!isSignInLayer(String(type))) return;
    visitTextBooleans(azapiBodyOf(after), [], (path, text) => {
      const expected = ['true', 'yes', 'on'].includes(text.toLowerCase());
      report({
        messageId: 'text',
        attribute: ['body', ...path],
        parameters: { property: path.join('.'), given: text, wanted: expected },
      });
    });
  },
};

/** Whether the type of an `azapi_resource`, which ends in a version, is that of a sign-in layer. */
function isSignInLayer(type: string): boolean {
  return type.toLowerCase().startsWith(`${String(auth.terraform.azapi).toLowerCase()}@`);
}

/** The names of booleans in the sign-in settings. */
const booleanPropertyNames = new Set([
  'enabled',
  'requireHttps',
  'validateNonce',
  'preserveUrlFragmentsForLogins',
  'disableWWWAuthenticate',
  'isAutoProvisioned',
]);

function visitTextBooleans(
  value: unknown,
  path: readonly (string | number)[],
  onMatch: (path: readonly (string | number)[], text: string) => void,
): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, item] of Object.entries(value)) {
    if (booleanPropertyNames.has(key) && typeof item === 'string') onMatch([...path, key], item);
    else visitTextBooleans(item, [...path, key], onMatch);
  }
}
