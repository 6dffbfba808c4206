import type { Dialect } from '../../../core/dialect/dialect.js';
import { say, words } from '../../../core/dialect/dialect.js';

/** What a field holds; it decides how the field is compared, ordered and printed. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'date';

/** A field of a transaction that can be filtered, ordered and searched: the leaf of a path. */
export interface Field {
  /** Below the transaction: `['properties', 'transactionAmount', 'value']`. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  readonly column: string;
}

const amounts = ['consumptionCommitmentDecremented', 'effectivePrice', 'marketPrice', 'subTotal', 'tax', 'transactionAmount'];
const texts = [
  ...['billingCurrency', 'billingProfileDisplayName', 'billingProfileId', 'creditType', 'customerDisplayName', 'customerId', 'invoice'],
  ...['invoiceId', 'invoiceSectionDisplayName', 'invoiceSectionId', 'kind', 'partNumber', 'pricingCurrency', 'productDescription'],
  ...['productFamily', 'productType', 'productTypeId', 'reasonCode', 'specialTaxationType', 'transactionType', 'unitOfMeasure', 'unitType'],
];
const systemTexts = ['createdBy', 'createdByType', 'lastModifiedBy', 'lastModifiedByType'];

function field(kind: FieldKind, ...path: readonly string[]): Field {
  const column = `f_${path
    .filter((word) => word !== 'properties')
    .join('_')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return { path, kind, column };
}

function amount(...path: readonly string[]): readonly Field[] {
  return [field('text', ...path, 'currency'), field('number', ...path, 'value')];
}

/**
 * Every field of the billing interface's Transaction and TransactionProperties, under the neutral names; columns are the same in both dialects.
 */
const neutralFields: readonly Field[] = [
  field('text', 'id'),
  field('text', 'name'),
  field('text', 'type'),
  ...amount('properties', 'cloudCreditApplied'),
  field('text', 'properties', 'cloudPlan'),
  ...texts.map((name) => field('text', 'properties', name)),
  ...amounts.flatMap((name) => amount('properties', name)),
  ...['date', 'servicePeriodStartDate', 'servicePeriodEndDate'].map((name) => field('date', 'properties', name)),
  ...['discount', 'exchangeRate', 'units'].map((name) => field('number', 'properties', name)),
  field('integer', 'properties', 'quantity'),
  field('boolean', 'properties', 'isThirdParty'),
  ...amount('properties', 'refundTransactionDetails', 'amountRefunded'),
  ...amount('properties', 'refundTransactionDetails', 'amountRequested'),
  field('text', 'properties', 'refundTransactionDetails', 'refundOperationId'),
  ...systemTexts.map((name) => field('text', 'systemData', name)),
  ...['createdAt', 'lastModifiedAt'].map((name) => field('date', 'systemData', name)),
];

/** The columns of the fields, the same in every dialect. */
export const fieldColumns: readonly string[] = neutralFields.map(({ column }) => column);

/** The fields as a dialect names them. */
export function fieldsOf(dialect: Dialect): readonly Field[] {
  const renamed: Readonly<Record<string, string>> = {
    [words.creditApplied.neutral]: say(words.creditApplied, dialect),
    [words.plan.neutral]: say(words.plan, dialect),
  };
  return neutralFields.map((each) => ({ ...each, path: each.path.map((word) => renamed[word] ?? word) }));
}
