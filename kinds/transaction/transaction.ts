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
const id = (description: string) => text(description);
const moment = (description: string) => dateTime(description);
/** One of several words; listings may contain others, since more may be added. */
const openWords = <const Words extends readonly string[]>(allowed: Words, description: string) =>
  enumOf(allowed, {
    description,
    alsoAcceptedByApi: { pattern: '', because: 'more may be added later' },
  });
const editors = ['User', 'Application', 'ManagedIdentity', 'Key'] as const;

/**
 * A transaction of an invoice (Billing rules, "Transaction", "TransactionProperties" and "Limits"):
 * nothing of it can be declared.
 */
export const transaction = kind(() => ({
  meaning: 'A purchase, a refund or a charge for usage, on an invoice.',
  terraform: { primary: [] },
  required: ['id', 'name', 'type', 'properties'],
  properties: {
    id: text('The fully qualified id.'),
    name: text('The name.'),
    type: text('The type of the resource.'),
    properties: closedObject(
      {
        cloudCreditApplied: amount('Credits that were applied automatically.'),
        cloudPlan: id('Details of the plan.'),
        billingCurrency: id('The currency of the bill: an ISO 4217 code.'),
        billingProfileDisplayName: id('The name of the billing profile.'),
        billingProfileId: id('The id of the billing profile.'),
        creditType: openWords(
          ['Other', 'CloudFreeCredit', 'CloudCreditOffer', 'ServiceInterruption', 'Refund'],
          'The reason of a credit.',
        ),
        customerDisplayName: id('The name of the customer.'),
        customerId: id('The id of the customer.'),
        invoice: id('The name of the invoice, or Pending.'),
        invoiceId: id('The id of the invoice, once it is billed.'),
        invoiceSectionDisplayName: id('The name of the section of the invoice.'),
        invoiceSectionId: id('The id of the section.'),
        kind: openWords(['Other', 'All', 'Reservation'], 'Billed or unbilled.'),
        partNumber: id('The part number, under an enterprise agreement.'),
        pricingCurrency: id('The currency of the price: an ISO 4217 code.'),
        productDescription: id('The product.'),
        productFamily: id('The family of the product.'),
        productType: id('The type of the product.'),
        productTypeId: id('The id of this type.'),
        reasonCode: id('The reason code.'),
        specialTaxationType: openWords(
          ['SubtotalLevel', 'InvoiceLevel'],
          'How tax is calculated, where the law requires this detail.',
        ),
        transactionType: id('The type of the transaction.'),
        unitOfMeasure: id('The unit in which the product is billed.'),
        unitType: id('The description of the unit.'),
        consumptionCommitmentDecremented: amount(
          'The amount that is deducted from the commitment (MACC).',
        ),
        effectivePrice: amount('The price after discounts.'),
        marketPrice: amount('The retail price.'),
        subTotal: amount('The charge before tax.'),
        tax: amount('The tax.'),
        transactionAmount: amount('The charge.'),
        date: moment('The date of the transaction.'),
        servicePeriodStartDate: moment(
          'When it was bought, or the start of the month in which usage began.',
        ),
        servicePeriodEndDate: moment('The end of the term, or of the month in which usage ended.'),
        discount: number('The discount, in percent.'),
        exchangeRate: number(
          'The rate at which the charge was converted to the currency of the bill.',
        ),
        units: number('The number of units used.'),
        quantity: integer('The quantity bought.', { minimum: -(2 ** 31), maximum: 2 ** 31 }),
        isThirdParty: boolean('Whether a third party sells the product.'),
        refundTransactionDetails: closedObject(
          {
            amountRefunded: amount('The refunded amount.'),
            amountRequested: amount('The requested amount.'),
            refundOperationId: id('The id of the refund.'),
          },
          { description: 'The refund.' },
        ),
      },
      { description: 'The charged amount.' },
    ),
    systemData: closedObject(
      {
        createdBy: id('Who created it.'),
        createdByType: openWords(editors, 'The type of that identity.'),
        lastModifiedBy: id('Who changed it last.'),
        lastModifiedByType: openWords(editors, 'The type of that identity.'),
        createdAt: moment('When it was created.'),
        lastModifiedAt: moment('When it was changed last.'),
      },
      { description: 'Who created and changed it.' },
    ),
    tags: recordOf(text('The value of a tag.', { minLength: 1, maxLength: 256 }), {
      names: '^[^<>%&\\\\?/]{1,256}$',
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
