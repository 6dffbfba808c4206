import { type IResolvable, type IResolveContext, Token, Tokenization } from './cdktf.js';

/**
 * A document as `${jsonencode({…})}`, so that Terraform writes the JSON: references in it are real
 * references, the plan shows changes key by key, and any text is preserved (cdktf's own
 * `Fn.jsonencode` escapes neither backslashes nor quotes nor `%{`).
 */
export function jsonExpression(document: unknown): string {
  return Token.asString(new JsonExpression(document));
}

class JsonExpression implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly document: unknown) {}

  resolve(context: IResolveContext): string {
    return `\${jsonencode(${render(this.document, context)})}`;
  }

  toString(): string {
    return Token.asString(this);
  }

  toJSON(): string {
    return '<jsonencode>';
  }
}

function render(value: unknown, context: IResolveContext): string {
  if (value === null || value === undefined) return 'null';
  if (Tokenization.isResolvable(value)) return expressionOf(String(context.resolve(value)));
  if (typeof value === 'string') return renderText(value, context);
  if (typeof value === 'number')
    return Token.isUnresolved(value) ? expressionOf(String(context.resolve(value))) : String(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value))
    return `[${value.map((each: unknown) => render(each, context)).join(', ')}]`;
  return renderObject(value, context);
}

function renderObject(value: object, context: IResolveContext): string {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${quote(key)} = ${render(each, context)}`).join(', ')}}`;
}

/** A text, which may contain tokens: alone a token is an expression, in a text an interpolation. */
function renderText(text: string, context: IResolveContext): string {
  const parts = text.split(/(\$\{TfToken\[[^\]]+\]\})/);
  // split by a group: every second part is a token
  const renderedParts = parts.map((part, index) =>
    index % 2 === 1
      ? `\${${expressionOf(String(context.resolve(part)))}}`
      : quote(part).slice(1, -1),
  );
  if (parts.length === 3 && parts[0] === '' && parts[2] === '')
    return expressionOf(String(context.resolve(text)));
  return `"${renderedParts.join('')}"`;
}

/**
 * One `${expression}` without its braces; with several, or with text around them, a quoted
 * template.
 */
function expressionOf(interpolation: string): string {
  const inner = /^\$\{([\s\S]*)\}$/.exec(interpolation)?.[1];
  if (inner !== undefined && !inner.includes('${')) return inner;
  return interpolation.includes('${') ? `"${interpolation}"` : quote(interpolation);
}

/**
 * A text in Terraform's quotes: `\b` and `\f`, which Terraform lacks, become `\uNNNN`, and the `$`
 * or `%` of a template is doubled.
 */
function quote(text: string): string {
  return (
    JSON.stringify(text)
      // matches whole escapes: the `b` after an escaped backslash is text
      .replace(/\\./g, (escape) => unicodeEscapes[escape] ?? escape)
      .replace(/([$%])\{/g, '$1$1{')
  );
}

const unicodeEscapes: Readonly<Record<string, string>> = { '\\b': '\\u0008', '\\f': '\\u000c' };
