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
    removed:
      '{property} was {before} and is gone from the body: write it as null, or the cloud keeps it',
  },
  check({ before, after }, report) {
    const [bodyBefore, bodyAfter] = [azapiBodyOf(before), azapiBodyOf(after)];
    if (after === null || bodyBefore === undefined || bodyAfter === undefined) return;
    for (const path of findRemoved(bodyBefore, bodyAfter)) {
      const value = path.reduce<unknown>((current, step) => (current as Values)[step], bodyBefore);
      report({
        messageId: 'removed',
        attribute: ['body', ...path],
        parameters: { given: path.join('.'), property: path.join('.'), before: value },
      });
    }
  },
};

function findRemoved(before: unknown, after: unknown): readonly (readonly string[])[] {
  if (!isObject(before) || !isObject(after)) return [];
  return Object.keys(before).flatMap((key) => {
    if (before[key] === null) return [];
    if (!Object.hasOwn(after, key)) return [[key]];
    return findRemoved(before[key], after[key]).map((path) => [key, ...path]);
  });
}
