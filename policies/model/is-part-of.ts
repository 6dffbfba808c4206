const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether everything that is declared is there, whatever else is; a text with a reference is known only later and fits anything. */
export function isPartOf(declared: unknown, there: unknown): boolean {
  if (declared === there || isLater(declared)) return true;
  if (typeof declared === 'string' && typeof there === 'string')
    return uuid.test(declared) && declared.toLowerCase() === there.toLowerCase();
  if (Array.isArray(declared))
    return Array.isArray(there) && declared.length === there.length && declared.every((each, index) => isPartOf(each, there[index]));
  if (!isRecord(declared) || !isRecord(there)) return false;
  return Object.entries(declared).every(([key, value]) => isPartOf(value, there[key]));
}

/** Whether a value is a text whose content is known only later. */
function isLater(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** Whether a value is an object, as JSON means it. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
