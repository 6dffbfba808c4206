import { isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { SourceLocation } from '../../../core/findings/finding.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** A spend limit from a budget file. */
export interface Budget {
  readonly name: string;
  /** Exact decimal text, in major units of the currency. */
  readonly amount: string;
  /** The ISO 4217 code; spend in other currencies is not counted. */
  readonly currency: string;
  /** Each month separately, or all transactions together. */
  readonly period: 'month' | 'total';
  /** Counts only spend on products of this family. @default all */
  readonly productFamily?: string;
  /** Counts only spend in the invoice section with this display name. @default all */
  readonly section?: string;
  /** Whether to include the forecast of the current month. */
  readonly forecast: boolean;
  /** The place of the amount in the budget file. */
  readonly location: SourceLocation;
}

const budgetKeys = ['name', 'amount', 'currency', 'period', 'productFamily', 'section', 'forecast'];

/**
 * Parses a budget file: YAML with
 * `budgets: [{ name, amount, currency, period: month|total, productFamily, section, forecast }]`.
 *
 * @param file the file's name in messages and locations.
 * @throws CAS1003 with the line of the first mistake.
 */
export function parseBudgets(text: string, file: string): readonly Budget[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const locate = (node: Node | null | undefined): SourceLocation => {
    const { line, col } = lineCounter.linePos(node?.range?.[0] ?? 0);
    return { file, line, column: col };
  };
  const errorAt = (node: Node | null | undefined, message: string): CastellanError => {
    const location = locate(node);
    return new CastellanError(
      'CAS1003',
      `${file}:${location.line}:${location.column}: ${message}`,
      { details: { location } },
    );
  };
  const problem = document.errors[0];
  if (problem) {
    const { line, col } = lineCounter.linePos(problem.pos[0]);
    throw new CastellanError('CAS1003', `${file}:${line}:${col}: ${problem.message}`);
  }
  const budgetList = isMap(document.contents) ? document.get('budgets', true) : undefined;
  if (!isSeq(budgetList) || budgetList.items.length === 0)
    throw errorAt(
      document.contents,
      'a budget file is a map with a list "budgets" that is not empty',
    );
  return budgetList.items.map((node, index) => {
    const entry = node as Node;
    if (!isMap(entry)) throw errorAt(entry, `budgets[${index}] must be a map`);
    const values = entry.toJS(document) as Record<string, unknown>;
    for (const pair of entry.items) {
      const key = String(pair.key);
      const suggestion = nearest(key, budgetKeys);
      if (!budgetKeys.includes(key))
        throw errorAt(
          pair.key as Node,
          `"${key}" is not a key of a budget${didYouMean(suggestion)}`,
        );
    }
    const nodeAt = (key: string): Node => (entry.get(key, true) as Node | undefined) ?? entry;
    const textAt = (key: string): string | undefined => {
      const value = values[key];
      if (value !== undefined && (typeof value !== 'string' || value === ''))
        throw errorAt(nodeAt(key), `${key} must be a string`);
      return value as string | undefined;
    };
    const amountNode = entry.get('amount', true);
    const amountText =
      (amountNode as { source?: string } | undefined)?.source ?? String(values['amount'] ?? '');
    if (!/^\d+(\.\d+)?$/.test(amountText))
      throw errorAt(
        nodeAt('amount'),
        `amount must be a number of at least 0, not ${JSON.stringify(values['amount'] ?? null)}`,
      );
    const currency = textAt('currency') ?? 'USD';
    if (!/^[A-Z]{3}$/.test(currency))
      throw errorAt(
        nodeAt('currency'),
        `currency must be three capital letters (ISO 4217), not ${JSON.stringify(currency)}`,
      );
    const period = textAt('period') ?? 'total';
    if (period !== 'month' && period !== 'total')
      throw errorAt(
        nodeAt('period'),
        `period must be month or total, not ${JSON.stringify(period)}`,
      );
    const { forecast = true } = values;
    if (typeof forecast !== 'boolean')
      throw errorAt(nodeAt('forecast'), 'forecast must be true or false');
    const [productFamily, section] = [textAt('productFamily'), textAt('section')];
    return {
      name: textAt('name') ?? `budget ${index + 1}`,
      amount: amountText,
      currency,
      period,
      forecast,
      ...omitUndefined({ productFamily, section }),
      location: locate(nodeAt('amount')),
    };
  });
}
