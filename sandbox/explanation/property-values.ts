import { findRuleProperty } from '../../kinds/membership-rule/properties.js';

/**
 * The fields of a form as values of the directory, by the property names that membership rules use;
 * '' removes a value.
 */
export function propertyValues(
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = findRuleProperty('user', name)?.type;
      if (type === 'boolean') return [name, text.toLowerCase() === 'true'];
      if (type === 'strings') return [name, splitList(text)];
      return [name, text === '' ? null : text];
    }),
  );
}

/** A value of the directory as the field of a form. */
export function propertyText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
