import type { CreateSyntaxError } from './lexer.js';

/** A sort key, as written. */
export interface ParsedSortKey {
  /** Of the field. */
  readonly name: string;
  readonly isDescending: boolean;
  /** Offset of the name in the text, from 0. */
  readonly position: number;
}

/**
 * Parses an ordering: `name [asc|desc]`, several separated by commas.
 *
 * @throws the error of `fail` for the first mistake.
 */
export function parseOrder(text: string, createError: CreateSyntaxError): readonly ParsedSortKey[] {
  let start = 0;
  return text.split(',').map((part) => {
    const [name, direction, surplus] = [...part.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      position: start + match.index,
    }));
    if (name === undefined) throw createError('a field is expected', start);
    if (direction !== undefined && !/^(asc|desc)$/i.test(direction.text))
      throw createError(
        `"asc", "desc" or a comma is expected, not "${direction.text}"`,
        direction.position,
      );
    if (surplus !== undefined)
      throw createError(`a comma is expected, not "${surplus.text}"`, surplus.position);
    start += part.length + 1;
    return {
      name: name.text,
      isDescending: direction?.text.toLowerCase() === 'desc',
      position: name.position,
    };
  });
}
