import { words } from '../../core/dialect/dialect.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { Transaction } from './transaction.js';

const amounts = ['consumptionCommitmentDecremented', 'effectivePrice', 'marketPrice', 'subTotal', 'tax', 'transactionAmount'];
const plain = [
  ...[
    'billingCurrency',
    'billingProfileDisplayName',
    'billingProfileId',
    'creditType',
    'customerDisplayName',
    'customerId',
    'date',
    'discount',
  ],
  ...['exchangeRate', 'invoice', 'invoiceId', 'invoiceSectionDisplayName', 'invoiceSectionId', 'isThirdParty', 'kind', 'partNumber'],
  ...['pricingCurrency', 'productDescription', 'productFamily', 'productType', 'productTypeId', 'quantity', 'reasonCode'],
  ...['servicePeriodStartDate', 'servicePeriodEndDate', 'specialTaxationType', 'transactionType', 'unitOfMeasure', 'unitType', 'units'],
];

/** The columns of the CSV, as paths below a transaction, `tags` as JSON; the billing service imports the same. */
export function csvColumns(dialect: Dialect): readonly string[] {
  const credit = words.creditApplied[dialect];
  return [
    ...['id', 'name', 'type'],
    ...[...plain, words.plan[dialect]].map((name) => `properties.${name}`),
    ...[credit, ...amounts].flatMap((name) => [`properties.${name}.currency`, `properties.${name}.value`]),
    ...['amountRefunded', 'amountRequested'].flatMap((name) => [
      `properties.refundTransactionDetails.${name}.currency`,
      `properties.refundTransactionDetails.${name}.value`,
    ]),
    'properties.refundTransactionDetails.refundOperationId',
    ...['createdAt', 'createdBy', 'createdByType', 'lastModifiedAt', 'lastModifiedBy', 'lastModifiedByType'].map(
      (name) => `systemData.${name}`,
    ),
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
    column.split('.').reduce<unknown>((place, word) => (place as Record<string, unknown> | undefined)?.[word], transaction),
  );
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
