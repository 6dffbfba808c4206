import { isObject } from '../../../core/values/is-object.js';

/**
 * Rego's `sprintf`, which is Go's: `%s` and `%v` of any value, `%d`, `%f`, `%x`, `%q`, `%t`, with
 * width, precision and the flags `-`, `+` and `0`. That of the package opa-wasm has no `%q` and
 * prints objects as `[object Object]`.
 */
export function sprintf(format: unknown, values: unknown): string {
  if (typeof format !== 'string' || !Array.isArray(values))
    throw new Error('sprintf wants a text and a list');
  let next = 0;
  const text = format.replace(
    /%([-+0 ]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])/g,
    (_, flags: string, width, precision, verb: string) => {
      if (verb === '%') return '%';
      if (next >= values.length) return `%!${verb}(MISSING)`;
      const value: unknown = values[next++];
      const formatted = formatValue(verb, value, {
        flags,
        precision: precision === undefined ? undefined : Number(precision),
      });
      return pad(formatted, { flags, isNumber: typeof value === 'number' }, width);
    },
  );
  const extra = values.slice(next).map((value) => `${goType(value)}=${goText(value)}`);
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.join(', ')})`;
}

interface Directive {
  /** Any of `-`, `+`, space and `0`, as in `%-5s`. */
  readonly flags: string;
  readonly precision: number | undefined;
}

function formatValue(verb: string, value: unknown, { flags, precision }: Directive): string {
  const number = typeof value === 'number' ? value : undefined;
  const sign = flags.includes('+') && number !== undefined && number >= 0 ? '+' : '';
  switch (verb) {
    case 's':
    case 'v':
      if (verb === 's' && (number !== undefined || typeof value === 'boolean'))
        return wrongVerb(verb, value);
      return precision === undefined
        ? goText(value)
        : [...goText(value)].slice(0, precision).join('');
    case 'q':
      return number === undefined && typeof value !== 'boolean'
        ? JSON.stringify(goText(value))
        : wrongVerb(verb, value);
    case 'd':
      return number !== undefined && Number.isInteger(number)
        ? `${sign}${String(number)}`
        : wrongVerb(verb, value);
    case 'x':
    case 'X': {
      const hex =
        typeof value === 'string' ? Buffer.from(value).toString('hex') : number?.toString(16);
      return hex === undefined ? wrongVerb(verb, value) : verb === 'X' ? hex.toUpperCase() : hex;
    }
    case 'f':
      return number === undefined
        ? wrongVerb(verb, value)
        : `${sign}${decimal(number, precision ?? 6)}`;
    case 't':
      return typeof value === 'boolean' ? String(value) : wrongVerb(verb, value);
    default:
      return wrongVerb(verb, value);
  }
}

/** The most decimals that `toFixed` writes. */
const maxDecimals = 100;

/** A number with so many decimals; a number half-way between two of them gets the even last digit. */
function decimal(number: number, precision: number): string {
  if (Math.abs(number) >= 1e21) return withDecimals(String(BigInt(number)), precision);
  const exact = number.toFixed(maxDecimals);
  if (precision >= maxDecimals) return exact.padEnd(exact.length + precision - maxDecimals, '0');
  const end = exact.length - maxDecimals + precision;
  const isHalfway = /^50*$/.test(exact.slice(end));
  const digits = exact.slice(0, end).replace(/\.$/, '');
  return isHalfway && /[02468]$/.test(digits) ? digits : number.toFixed(precision);
}

function withDecimals(integer: string, precision: number): string {
  return precision === 0 ? integer : `${integer}.${'0'.repeat(precision)}`;
}

/** Pads a text; zeros before a number come after its sign. */
function pad(
  text: string,
  { flags, isNumber }: { readonly flags: string; readonly isNumber: boolean },
  width: string | undefined,
): string {
  if (width === undefined) return text;
  if (flags.includes('-')) return text.padEnd(Number(width));
  if (!flags.includes('0')) return text.padStart(Number(width));
  const [sign = ''] = isNumber ? (/^[-+]/.exec(text) ?? []) : [];
  return sign + text.slice(sign.length).padStart(Number(width) - sign.length, '0');
}

function goText(value: unknown): string {
  return typeof value === 'string' ? value : regoTerm(value);
}

/** A value in Rego's notation: sorted keys, spaces after colons and commas. */
function regoTerm(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(regoTerm).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}: ${regoTerm(each)}`).join(', ')}}`;
}

function wrongVerb(verb: string, value: unknown): string {
  return `%!${verb}(${goType(value)}=${goText(value)})`;
}

function goType(value: unknown): string {
  return typeof value === 'number'
    ? Number.isInteger(value)
      ? 'int'
      : 'float64'
    : typeof value === 'boolean'
      ? 'bool'
      : 'string';
}
