import { findRuleProperty } from '../../kinds/membership-rule/properties.js';

/** Texts of a form as the directory keeps them, by the names of rules; '' is no value. */
export function propertyValues(
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = findRuleProperty('user', name)?.type;
      if (type === 'boolean') return [name, text.toLowerCase() === 'true'];
      if (type === 'strings') return [name, entriesOf(text)];
      return [name, text === '' ? null : text];
    }),
  );
}

/** A value as the text of a form. */
export function propertyText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function entriesOf(text: string): readonly string[] {
  return text.split(',').flatMap((entry) => entry.trim() || []);
}
