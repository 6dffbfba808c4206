import type { Decimal } from 'decimal.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { type Dialect, inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import {
  currencies,
  type CurrencyCode,
  type Product,
  products,
  sections,
} from './product-catalogue.js';
import { type Random, createRandom } from './random.js';
import { ExactDecimal } from '../store/sort-keys.js';

/** Options of the generator. */
interface GenerateOptions {
  readonly billingAccount: string;
  /** The invoice's name, such as `G000000001`. */
  readonly invoice: string;
  /** How many transactions. */
  readonly count: number;
  readonly seed: string;
  readonly dialect: Dialect;
}

const zero = new ExactDecimal(0);
/** The value added tax of all generated transactions. */
const taxRate = 0.19;
/** The year of the first service period. */
const year = 2025;
type Amount = { readonly currency: string; readonly value: string };

/**
 * Generates realistic transactions of an organization: mostly usage in the months of a year,
 * purchases, partial refunds, prices and bills in several currencies, some pending. The same
 * options give the same transactions. Amounts are exact decimals as text.
 */
export function* generateTransactions(
  options: GenerateOptions,
): Generator<Record<string, unknown>, void, undefined> {
  const random = createRandom(
    JSON.stringify([options.seed, options.billingAccount, options.invoice]),
  );
  const namespace = inDialect(dialectWords.billingNamespace, options.dialect);
  const account = `/providers/${namespace}/billingAccounts/${options.billingAccount}`;
  for (let index = 0; index < options.count; index++)
    yield generateTransaction(options, random, namespace, account);
}

function generateTransaction(
  { dialect, invoice }: GenerateOptions,
  random: Random,
  namespace: string,
  account: string,
): Record<string, unknown> {
  const name = random.uuid();
  const product = random.pick(products);
  const section = random.pick(sections);
  const currency = random.pick(currencies);
  const kind = pickKind(random, product);
  const isPending = random.below(100) < 6;
  const profile = `${account}/billingProfiles/BP01`;
  const billingCurrency = section.currency;
  const charge = generateCharge(
    random,
    product,
    { pricing: usdRate(currency.code), billing: usdRate(billingCurrency) },
    kind,
  );
  const month = random.below(12);
  const date = isoTime(month, random.below(28) + 1, random.below(24));
  const hasFreeCredit = kind === 'usage' && random.below(100) < 4;
  let creditType: string | undefined;
  if (kind === 'refund') creditType = 'Refund';
  else if (hasFreeCredit) creditType = inDialect(dialectWords.freeCredit, dialect);
  return {
    id: `${profile}/transactions/${name}`,
    name,
    type: `${namespace}/billingAccounts/billingProfiles/transactions`,
    properties: {
      [inDialect(dialectWords.creditApplied, dialect)]: amount(
        billingCurrency,
        hasFreeCredit ? charge.subTotal : zero,
      ),
      [inDialect(dialectWords.plan, dialect)]: 'Pay as you go',
      billingCurrency,
      billingProfileDisplayName: 'Castle Works',
      billingProfileId: profile,
      consumptionCommitmentDecremented: amount(
        billingCurrency,
        product.thirdParty ? zero : charge.subTotal,
      ),
      ...omitUndefined({ creditType }),
      customerDisplayName: 'Castle Works GmbH',
      customerId: `${account}/customers/CW01`,
      date,
      discount: charge.discount.toFixed(),
      effectivePrice: amount(currency.code, charge.effectivePrice),
      exchangeRate: charge.exchangeRate.toFixed(),
      invoice: isPending ? 'Pending' : invoice,
      ...(!isPending && { invoiceId: `${account}/invoices/${invoice}` }),
      invoiceSectionDisplayName: section.name,
      invoiceSectionId: `${profile}/invoiceSections/IS0${sections.indexOf(section) + 1}`,
      isThirdParty: product.thirdParty === true,
      kind: product.reservation ? 'Reservation' : 'All',
      marketPrice: amount(currency.code, charge.marketPrice),
      ...(invoice.startsWith('E') && { partNumber: `PN-${product.typeId}` }),
      pricingCurrency: currency.code,
      productDescription: product.description,
      productFamily: product.family,
      productType: product.type,
      productTypeId: product.typeId,
      quantity: Math.max(1, charge.units.floor().toNumber()),
      ...(kind === 'refund' && {
        reasonCode: random.pick(['ServiceIncident', 'CustomerRequest', 'PriceCorrection']),
      }),
      ...(kind === 'refund' && {
        refundTransactionDetails: refundDetails(random, billingCurrency, charge.total),
      }),
      servicePeriodStartDate: isoTime(month, 1, 0),
      servicePeriodEndDate: product.reservation
        ? isoTime(month + 12, 1, 0)
        : isoTime(month + 1, 1, 0),
      subTotal: amount(billingCurrency, charge.subTotal),
      tax: amount(billingCurrency, charge.tax),
      transactionAmount: amount(billingCurrency, charge.total),
      transactionType: kind === 'usage' ? 'cycleCharge' : kind,
      unitOfMeasure: product.unitOfMeasure,
      unitType: product.unitType,
      units: charge.units.toFixed(),
    },
    systemData: { createdAt: date, createdBy: 'billing-engine', createdByType: 'Application' },
    ...(random.below(100) < 25 && {
      tags: { section: section.name, costCenter: `CC-${100 + random.below(20)}` },
    }),
  };
}

/** Reservations are purchases; of the others, 82 % are usage, 10 % purchases and 8 % refunds. */
function pickKind(random: Random, product: Product): 'usage' | 'purchase' | 'refund' {
  const percent = random.below(100);
  if (product.reservation) return 'purchase';
  if (percent < 82) return 'usage';
  return percent < 92 ? 'purchase' : 'refund';
}

type Charge = Readonly<
  Record<
    | 'units'
    | 'discount'
    | 'exchangeRate'
    | 'marketPrice'
    | 'effectivePrice'
    | 'subTotal'
    | 'tax'
    | 'total',
    Decimal
  >
>;

/** What one unit of a currency is worth in ten-thousandths of a US dollar. */
function usdRate(code: CurrencyCode): number {
  return currencies.find((each) => each.code === code)?.usdTenThousandths ?? 10_000;
}

/**
 * Prices are in the pricing currency, totals in the billing currency, rounded to cents; totals of
 * refunds are negative.
 */
function generateCharge(
  random: Random,
  product: Product,
  rates: { readonly pricing: number; readonly billing: number },
  kind: string,
): Charge {
  const units = new ExactDecimal(random.below(product.maxUnits * 100) + 1).div(100);
  const discount = new ExactDecimal(random.pick([0, 0, 0, 5, 10, 15])).div(100);
  const exchangeRate = new ExactDecimal(rates.pricing).div(rates.billing).toDecimalPlaces(4);
  // cents / 100 / (rate / 10,000)
  const marketPrice = new ExactDecimal(product.centsPerUnit)
    .mul(100)
    .div(rates.pricing)
    .toDecimalPlaces(6);
  const effectivePrice = marketPrice.mul(new ExactDecimal(1).sub(discount));
  const charge = effectivePrice.mul(units).mul(exchangeRate).toDecimalPlaces(2);
  const subTotal = kind === 'refund' ? charge.neg() : charge;
  const tax = subTotal.mul(taxRate).toDecimalPlaces(2);
  return {
    units,
    discount,
    exchangeRate,
    marketPrice,
    effectivePrice,
    subTotal,
    tax,
    total: subTotal.add(tax),
  };
}

function refundDetails(random: Random, currency: string, total: Decimal): Record<string, unknown> {
  const requested = amount(currency, total.abs());
  return {
    amountRefunded: requested,
    amountRequested: requested,
    refundOperationId: random.uuid(),
  };
}

function amount(currency: string, value: Decimal): Amount {
  return { currency, value: value.toFixed() };
}

/** @param month from 0 for January of the first year; 12 and more are in the next year. */
function isoTime(month: number, date: number, hour: number): string {
  return `${new Date(Date.UTC(year, month, date, hour)).toISOString().slice(0, 19)}Z`;
}
