import { itemProperties } from '../../../kinds/item/item.js';
import { isJsonObject } from '../http/body.js';
import type { Checks } from '../http/body.js';
import type { Call } from '../http/call.js';
import { Problem } from '../http/problem.js';

/**
 * Reads `sensitivityLabelSettings`: the form at once, whether the label can be applied when the function is called.
 *
 * @returns a function that gives the label's id, or null when there is none to apply; with `ApplyOrFail` (the default) a label that
 * doesn't exist fails the creation, with `Ignore` the item goes without.
 */
export function readLabel(checks: Checks, value: unknown): (call: Call) => Promise<string | null> {
  const none = (): Promise<null> => Promise.resolve(null);
  if (value === undefined || value === null) return none;
  if (!isJsonObject(value)) {
    checks.fail('sensitivityLabelSettings must be an object.');
    return none;
  }
  const labelId = checks.uuid('sensitivityLabelSettings.labelId', value['labelId']);
  if (value['labelId'] === undefined || value['labelId'] === null) checks.fail('sensitivityLabelSettings.labelId is required.');
  const strategy = value['sensitivityLabelApplyStrategy'] ?? 'ApplyOrFail';
  checks.value('sensitivityLabelApplyStrategy', strategy, itemProperties.sensitivityLabelSettings.properties.sensitivityLabelApplyStrategy);
  return async (call) => {
    const label = await call.runtime.db
      .selectFrom('items_label')
      .select('id')
      .where('id', '=', labelId ?? '')
      .executeTakeFirst();
    if (label) return label.id;
    if (strategy === 'Ignore') return null;
    const relatedResource = { resourceId: labelId ?? '', resourceType: 'SensitivityLabel' };
    throw new Problem('InvalidParameter', `The sensitivity label ${labelId ?? ''} can't be applied: there is none with this id.`, {
      relatedResource,
    });
  };
}
