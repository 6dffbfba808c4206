import { type Controller, controllersOf } from '../answer/controllers.js';
import type { AppChange } from './compare.js';
import type { AccessComparison } from './comparison.js';

/** Who can let others in since a change, and who cannot any more. */
export function controllerChanges(
  { appAfter, appBefore }: AppChange,
  { head, base }: Pick<AccessComparison, 'head' | 'base'>,
): { readonly gained: readonly Controller[]; readonly lost: readonly Controller[] } {
  const after = appAfter === undefined ? [] : controllersOf(appAfter, head);
  const before = appBefore === undefined ? [] : controllersOf(appBefore, base);
  const onlyIn = (
    controllers: readonly Controller[],
    others: readonly Controller[],
  ): readonly Controller[] => {
    const keyOf = ({ who, by }: Controller): string => `${who} ${by}`;
    const otherKeys = new Set(others.map(keyOf));
    return controllers.filter((each) => !otherKeys.has(keyOf(each)));
  };
  return { gained: onlyIn(after, before), lost: onlyIn(before, after) };
}
