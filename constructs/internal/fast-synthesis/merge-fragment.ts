import { isObject } from '../../../core/values/is-object.js';
import { deepMerge } from '../cdktf.js';
import type { Data } from './resolve-data.js';

/** Merges what one element writes into what the others wrote: `resource`, its type, its name; cdktf merges what is there already. */
export function mergeFragment(target: Data, source: Data, depth: number): void {
  for (const [key, value] of Object.entries(source)) {
    const existing = target[key];
    if (existing === undefined) target[key] = value;
    else if (Array.isArray(existing) && Array.isArray(value)) target[key] = [...(existing as unknown[]), ...(value as unknown[])];
    else if (depth < 2 && isObject(existing) && isObject(value)) mergeFragment(existing, value, depth + 1);
    else deepMerge(target, { [key]: value });
  }
}
