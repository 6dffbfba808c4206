import type { TSchema } from '@sinclair/typebox';
import { factsOf } from '../../../kinds/schema/facts.js';

interface Limits {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The values at each limit of a property and just beyond it, some that only look right, and one of each wrong type. */
export function candidates(schema: TSchema): readonly unknown[] {
  const limits = schema as Limits;
  const wrongTypes = [7, 'text', true].filter((each) => typeof each !== (limits.type === 'integer' ? 'number' : limits.type));
  return [...new Set([...wordsOf(limits), ...textsOf(limits), ...numbersOf(limits, schema), ...wrongTypes])];
}

function wordsOf({ enum: words = [] }: Limits): readonly string[] {
  return [...words, ...words.map((word) => word.toLowerCase()), ...(words.length > 0 ? ['Mauve'] : [])];
}

function textsOf({ type, enum: words, minLength, maxLength }: Limits): readonly string[] {
  if (type !== 'string' || words !== undefined) return [];
  const lengths = [minLength, maxLength].flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]));
  const samples = ['a b', 'ä', 'a@b', 'EUR', 'eur', 'EURO', 'en', 'en-US', 'EN-us', 'xx-US', 'english please', 'My workspace'];
  return [...lengths.filter((length) => length >= 0).map((length) => 'a'.repeat(length)), ...samples];
}

function numbersOf({ minimum, maximum }: Limits, schema: TSchema): readonly number[] {
  const allowed = (factsOf(schema).values ?? []).flat();
  const limits = [minimum, maximum, ...allowed].filter((limit) => limit !== undefined);
  return limits.flatMap((limit) => [limit - 1, limit, limit + 1, limit + 0.5]);
}
