/** A variable of the program that holds a declaration. */
export class Reference {
  constructor(readonly variable: string) {}
}

const width = 110;

/** A value as TypeScript, on one line where it fits beside what is `before` it. */
export function printed(value: unknown, indentation: number, before = 0): string {
  const line = onOneLine(value);
  if (line.length + indentation + before <= width || value === null || typeof value !== 'object' || value instanceof Reference) return line;
  const inner = ' '.repeat(indentation + 2);
  const parts = Array.isArray(value)
    ? value.map((each) => printed(each, indentation + 2))
    : Object.entries(value).map(([key, each]) => `${printedKey(key)}: ${printed(each, indentation + 2)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${' '.repeat(indentation)}${close}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Reference) return value.variable;
  if (typeof value === 'string') return printedText(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([key, each]) => {
    const text = onOneLine(each);
    return text === key ? key : `${printedKey(key)}: ${text}`;
  });
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function printedText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return escaped.includes("'") && !escaped.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}

function printedKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : printedText(key);
}
