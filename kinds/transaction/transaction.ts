import { guidRegexSource } from '../../core/values/guid.js';
import { kind } from '../schema/kind.js';
import {
  closedObject,
  boolean,
  dateTime,
  recordOf,
  number,
  text,
  integer,
  enumOf,
} from '../schema/schema-builders.js';

const amount = (description: string) =>
  closedObject(
    { currency: text('The currency.'), value: number('In major units of the currency.') },
    { description, required: ['currency', 'value'] },
  );
/** One of several words; listings may contain others, since more may be added. */
const openEnumOf = <const Words extends readonly string[]>(allowed: Words, description: string) =>
  enumOf(allowed, {
    description,
    alsoAcceptedByApi: { pattern: '', because: 'more may be added later' },
  });
/** The least and the greatest value of an integer, which the interface calls `int32`. */
export const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;

const identityTypes = ['User', 'Application', 'ManagedIdentity', 'Key'] as const;

/**
 * A transaction of an invoice (Billing rules, "Transaction", "TransactionProperties" and "Limits"):
 * nothing of it can be declared.
 */
export const transaction = kind(() => ({
  meaning: 'A purchase, a refund or a charge for usage, on an invoice.',
  terraform: { resourceTypes: [] },
  required: ['id', 'name', 'type', 'properties'],
  properties: {
    id: text('The fully qualified id.'),
    name: text('The name.'),
    type: text('The type of the resource.'),
    properties: closedObject(
      {
        cloudCreditApplied: amount('Credits that were applied automatically.'),
        cloudPlan: text('Details of the plan.'),
        billingCurrency: text('The currency of the bill: an ISO 4217 code.'),
        billingProfileDisplayName: text('The name of the billing profile.'),
        billingProfileId: text('The id of the billing profile.'),
        creditType: openEnumOf(
          ['Other', 'CloudFreeCredit', 'CloudCreditOffer', 'ServiceInterruption', 'Refund'],
          'The reason of a credit.',
        ),
        customerDisplayName: text('The name of the customer.'),
        customerId: text('The id of the customer.'),
        invoice: text('The name of the invoice, or Pending.'),
        invoiceId: text('The id of the invoice, once it is billed.'),
        invoiceSectionDisplayName: text('The name of the section of the invoice.'),
        invoiceSectionId: text('The id of the section.'),
        kind: openEnumOf(['Other', 'All', 'Reservation'], 'Billed or unbilled.'),
        partNumber: text('The part number, under an enterprise agreement.'),
        pricingCurrency: text('The currency of the price: an ISO 4217 code.'),
        productDescription: text('The product.'),
        productFamily: text('The family of the product.'),
        productType: text('The type of the product.'),
        productTypeId: text('The id of this type.'),
        reasonCode: text('The reason code.'),
        specialTaxationType: openEnumOf(
          ['SubtotalLevel', 'InvoiceLevel'],
          'How tax is calculated, where the law requires this detail.',
        ),
        transactionType: text('The type of the transaction.'),
        unitOfMeasure: text('The unit in which the product is billed.'),
        unitType: text('The description of the unit.'),
        consumptionCommitmentDecremented: amount(
          'The amount that is deducted from the commitment (MACC).',
        ),
        effectivePrice: amount('The price after discounts.'),
        marketPrice: amount('The retail price.'),
        subTotal: amount('The charge before tax.'),
        tax: amount('The tax.'),
        transactionAmount: amount('The charge.'),
        date: dateTime('The date of the transaction.'),
        servicePeriodStartDate: dateTime(
          'When it was bought, or the start of the month in which usage began.',
        ),
        servicePeriodEndDate: dateTime(
          'The end of the term, or of the month in which usage ended.',
        ),
        discount: number('The discount, in percent.'),
        exchangeRate: number(
          'The rate at which the charge was converted to the currency of the bill.',
        ),
        units: number('The number of units used.'),
        quantity: integer('The quantity bought.', int32),
        isThirdParty: boolean('Whether a third party sells the product.'),
        refundTransactionDetails: closedObject(
          {
            amountRefunded: amount('The refunded amount.'),
            amountRequested: amount('The requested amount.'),
            refundOperationId: text('The id of the refund.'),
          },
          { description: 'The refund.' },
        ),
      },
      { description: 'The charged amount.' },
    ),
    systemData: closedObject(
      {
        createdBy: text('Who created it.'),
        createdByType: openEnumOf(identityTypes, 'The type of that identity.'),
        lastModifiedBy: text('Who changed it last.'),
        lastModifiedByType: openEnumOf(identityTypes, 'The type of that identity.'),
        createdAt: dateTime('When it was created.'),
        lastModifiedAt: dateTime('When it was changed last.'),
      },
      { description: 'Who created and changed it.' },
    ),
    tags: recordOf(text('The value of a tag.', { minLength: 1, maxLength: 256 }), {
      namePattern: '^[^<>%&\\\\?/]{1,256}$',
      patternDescription: '1 to 256 characters, none of < > % & \\ ? /',
      description: 'Tags.',
    }),
  },
  limits: {
    apiVersion: '2024-04-01',
    top: { maximum: 50 },
    billingAccountName: `^([0-9]+|([Pp][Cc][Nn]\\.[A-Za-z0-9]+)|${guidRegexSource}(:${guidRegexSource}_[0-9]{4}(-[0-9]{2}){2})?)$`,
    invoiceName:
      '^(H[0-9]-[A-Z0-9]+)$|^(?:([GHT]|HT){1}[A-Z0-9]{9})$|^(?:[D]{1}[A-Z0-9]{9})$|^(?:E{1}[B-Z0-9]{1}[A-Z0-9]{8})$|^(?:EA[A-Z0-9]{8})$',
    filter: { maxLength: 8192, maxDepth: 64, maxClauses: 500 },
    orderBy: { maxKeys: 8 },
  },
}));
