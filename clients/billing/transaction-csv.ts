import { type Dialect, dialectWords } from '../../core/dialect/dialect.js';
import type { Transaction } from './transaction.js';

/** The properties of a transaction that are amounts: a currency and a value. */
const amountProperties = [
  'consumptionCommitmentDecremented',
  'effectivePrice',
  'marketPrice',
  'subTotal',
  'tax',
  'transactionAmount',
];
/** The properties of a transaction that have one value. */
const scalarProperties = [
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
    ...[...scalarProperties, dialectWords.plan[dialect]].map((name) => `properties.${name}`),
    ...[credit, ...amountProperties].flatMap((name) => [
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
  return `${cells.map(escapeCell).join(',')}\r\n`;
}

/** A transaction's cells in the order of the columns; absent fields are empty. */
export function csvCells(transaction: Transaction, columns: readonly string[]): readonly unknown[] {
  return columns.map((column) => valueAt(transaction, column));
}

/** The value at a path such as `properties.tax.value`; undefined where a part of it is absent. */
function valueAt(transaction: Transaction, path: string): unknown {
  let value: unknown = transaction;
  for (const name of path.split('.'))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}

function escapeCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text =
    typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
