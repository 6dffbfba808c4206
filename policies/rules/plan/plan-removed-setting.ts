import { isObject } from '../../../core/values/is-object.js';
import type { PlanRule } from '../../engine/plan-rule.js';
import { azapiBodyOf } from '../../engine/planned-resource.js';

type Values = Readonly<Record<string, unknown>>;

export const planRemovedSetting: PlanRule = {
  id: 'plan-removed-setting',
  title: 'A setting removed from a body is written as null.',
  why: 'The official provider plans no change for a property that is merely gone: the old setting stays in the cloud.',
  severity: 'warning',
  source: 'the official provider (azapi) with its defaults',
  types: ['azapi_resource'],
  messages: {
    removed: '{property}{was} is gone from the body: write it as null, or the cloud keeps it',
  },
  check({ actions, before, after, afterUnknown }, report) {
    const [bodyBefore, bodyAfter] = [azapiBodyOf(before), azapiBodyOf(after)];
    if (after === null || bodyBefore === undefined || bodyAfter === undefined) return;
    // another resource has only what its body has
    if (actions.includes('delete')) return;
    const unknown = isObject(afterUnknown) ? afterUnknown['body'] : undefined;
    for (const path of findRemoved(bodyBefore, bodyAfter, unknown)) {
      const value = path.reduce<unknown>((current, step) => (current as Values)[step], bodyBefore);
      report({
        messageId: 'removed',
        attribute: ['body', ...path],
        parameters: {
          given: path.join('.'),
          property: path.join('.'),
          // texts, lists and objects may hold secrets
          was: ['boolean', 'number'].includes(typeof value) ? `, which was ${String(value)},` : '',
        },
      });
    }
  },
};

/** @param unknown the values that are known only after apply, as plans mark them. */
function findRemoved(
  before: unknown,
  after: unknown,
  unknown: unknown,
): readonly (readonly string[])[] {
  if (!isObject(before) || !isObject(after)) return [];
  return Object.keys(before).flatMap((key) => {
    const unknownPart = isObject(unknown) ? unknown[key] : undefined;
    if (before[key] === null || unknownPart === true) return [];
    if (!Object.hasOwn(after, key)) return unknownPart === undefined ? [[key]] : [];
    return findRemoved(before[key], after[key], unknownPart).map((path) => [key, ...path]);
  });
}
