import { type Dialect, dialectWords } from '../../core/dialect/dialect.js';
import type { SystemData, TransactionProperties } from '../generated/objects.js';

/**
 * A transaction of an invoice (Billing rules, "Transaction"). Unknown values of enumerations pass
 * through.
 */
export interface Transaction {
  /**
   * The full path: `/providers/…/billingAccounts/{account}/invoices/{invoice}/transactions/{name}`.
   */
  readonly id: string;
  /** The last segment of the id. */
  readonly name: string;
  /** The resource type, in the names of the service's dialect. */
  readonly type: string;
  /** What was charged. */
  readonly properties: TransactionProperties;
  /** Who created and last changed the record, and when. */
  readonly systemData?: SystemData;
  /** Tags of the record, by their names. */
  readonly tags?: Readonly<Record<string, string>>;
}

const amounts = [
  'consumptionCommitmentDecremented',
  'effectivePrice',
  'marketPrice',
  'subTotal',
  'tax',
  'transactionAmount',
];
const plain = [
  'billingCurrency',
  'billingProfileDisplayName',
  'billingProfileId',
  'creditType',
  'customerDisplayName',
  'customerId',
  'date',
  'discount',
  'exchangeRate',
  'invoice',
  'invoiceId',
  'invoiceSectionDisplayName',
  'invoiceSectionId',
  'isThirdParty',
  'kind',
  'partNumber',
  'pricingCurrency',
  'productDescription',
  'productFamily',
  'productType',
  'productTypeId',
  'quantity',
  'reasonCode',
  'servicePeriodStartDate',
  'servicePeriodEndDate',
  'specialTaxationType',
  'transactionType',
  'unitOfMeasure',
  'unitType',
  'units',
];

/**
 * The columns of the CSV as paths within a transaction, with `tags` as JSON. The billing service
 * imports the same columns.
 */
export function csvColumns(dialect: Dialect): readonly string[] {
  const credit = dialectWords.creditApplied[dialect];
  return [
    'id',
    'name',
    'type',
    ...[...plain, dialectWords.plan[dialect]].map((name) => `properties.${name}`),
    ...[credit, ...amounts].flatMap((name) => [
      `properties.${name}.currency`,
      `properties.${name}.value`,
    ]),
    ...['amountRefunded', 'amountRequested'].flatMap((name) => [
      `properties.refundTransactionDetails.${name}.currency`,
      `properties.refundTransactionDetails.${name}.value`,
    ]),
    'properties.refundTransactionDetails.refundOperationId',
    ...[
      'createdAt',
      'createdBy',
      'createdByType',
      'lastModifiedAt',
      'lastModifiedBy',
      'lastModifiedByType',
    ].map((name) => `systemData.${name}`),
    'tags',
  ];
}

/** A line of CSV (RFC 4180, with CRLF). */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** A transaction's cells in the order of the columns; absent fields are empty. */
export function csvCells(transaction: Transaction, columns: readonly string[]): readonly unknown[] {
  return columns.map((column) =>
    column
      .split('.')
      .reduce<unknown>(
        (place, word) => (place as Record<string, unknown> | undefined)?.[word],
        transaction,
      ),
  );
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text =
    typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Parses a billing answer and keeps every digit of the amounts: the `value` of an amount becomes
 * text. Quotes inside a JSON string are escaped, so `"value":` matches property names only.
 */
export function parseWithExactAmounts(text: string): unknown {
  return JSON.parse(text.replace(/"value":\s*(-?\d[\d.eE+-]*)/g, '"value":"$1"'));
}

const mark = '\u0000exact:';

/** Writes transactions as JSON, with the amounts as numbers of the same digits. */
export function stringifyExactAmounts(value: unknown, indent?: number): string {
  const json = JSON.stringify(
    value,
    (_key, each: unknown) => (isAmount(each) ? { ...each, value: `${mark}${each.value}` } : each),
    indent,
  );
  return json.replace(/"\\u0000exact:(-?[\d.eE+-]+)"/g, '$1');
}

function isAmount(value: unknown): value is { currency: string; value: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { currency, value: number } = value as { currency?: unknown; value?: unknown };
  return (
    typeof currency === 'string' &&
    typeof number === 'string' &&
    /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(number)
  );
}
