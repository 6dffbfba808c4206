import { setOwnProperty } from '../values/set-own-property.js';

/** The values of `${castellan.environment}` and `${castellan.stack}`. */
export interface StackNames {
  /** The deployment environment, such as `prod`; `default` where no overlay applies. */
  readonly environment: string;
  /** Undefined if `stack:` is missing or is not a text. */
  readonly stack?: string | undefined;
}

const stackReference = /\$\$\{|\$\{castellan\.(environment|stack)\}/g;

/**
 * Replaces `${castellan.stack}` and `${castellan.environment}` in a value. The value is copied only
 * where it changes.
 */
export function interpolateStackNames<Value>(value: Value, names: StackNames): Value {
  if (typeof value === 'string')
    return (value.includes('${castellan.') ? interpolateText(value, names) : value) as Value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const next = value.map((item: unknown) => interpolateStackNames(item, names));
    return (
      next.some((item, index) => item !== (value as readonly unknown[])[index]) ? next : value
    ) as Value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    const next = interpolateStackNames(item, names);
    if (next === item) continue;
    copy ??= { ...(value as Readonly<Record<string, unknown>>) };
    setOwnProperty(copy, key, next);
  }
  return (copy ?? value) as Value;
}

function interpolateText(text: string, names: StackNames): string {
  return text.replace(stackReference, (word, name: keyof StackNames | undefined) =>
    name === undefined ? word : (names[name] ?? word),
  );
}
