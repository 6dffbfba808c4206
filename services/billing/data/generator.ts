import type { Decimal } from 'decimal.js';
import { type Dialect, inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import { currencies, type Product, products, sections } from './catalogue.js';
import { type Random, randomOf } from './random.js';
import { ExactDecimal } from '../store/sort-keys.js';

/** Options of the generator. */
interface GenerateOptions {
  readonly billingAccount: string;
  readonly invoice: string;
  readonly count: number;
  readonly seed: string;
  readonly dialect: Dialect;
}

const zero = new ExactDecimal(0);
type Amount = { readonly currency: string; readonly value: string };

/**
 * Generates realistic transactions of an organization: mostly usage in the months of a year,
 * purchases, partial refunds, prices and bills in several currencies, some pending. Deterministic
 * for a seed and count. Amounts are exact decimals as text.
 */
export function* generateTransactions(
  options: GenerateOptions,
): Generator<Record<string, unknown>, void, undefined> {
  const random = randomOf(JSON.stringify([options.seed, options.billingAccount, options.invoice]));
  const namespace = inDialect(dialectWords.billingNamespace, options.dialect);
  const account = `/providers/${namespace}/billingAccounts/${options.billingAccount}`;
  for (let index = 0; index < options.count; index++)
    yield transactionOf(options, random, namespace, account);
}

function transactionOf(
  { dialect, invoice }: GenerateOptions,
  random: Random,
  namespace: string,
  account: string,
): Record<string, unknown> {
  const name = random.uuid();
  const product = random.pick(products);
  const section = random.pick(sections);
  const currency = random.pick(currencies);
  const draw = random.below(100);
  const kind = product.reservation
    ? 'purchase'
    : draw < 82
      ? 'usage'
      : draw < 92
        ? 'purchase'
        : 'refund';
  const pending = random.below(100) < 6;
  const profile = `${account}/billingProfiles/BP01`;
  const billed = section.currency;
  const charge = chargeOf(
    random,
    product,
    { priced: rateOf(currency.code), billed: rateOf(billed) },
    kind,
  );
  const month = random.below(12);
  const date = day(month, random.below(28) + 1, random.below(24));
  const freeCredit = kind === 'usage' && random.below(100) < 4;
  const credit =
    kind === 'refund'
      ? { creditType: 'Refund' }
      : freeCredit
        ? { creditType: inDialect(dialectWords.freeCredit, dialect) }
        : {};
  return {
    id: `${profile}/transactions/${name}`,
    name,
    type: `${namespace}/billingAccounts/billingProfiles/transactions`,
    properties: {
      [inDialect(dialectWords.creditApplied, dialect)]: amount(
        billed,
        freeCredit ? charge.subTotal : zero,
      ),
      [inDialect(dialectWords.plan, dialect)]: 'Pay as you go',
      billingCurrency: billed,
      billingProfileDisplayName: 'Castle Works',
      billingProfileId: profile,
      consumptionCommitmentDecremented: amount(billed, product.thirdParty ? zero : charge.subTotal),
      ...credit,
      customerDisplayName: 'Castle Works GmbH',
      customerId: `${account}/customers/CW01`,
      date,
      discount: charge.discount.toFixed(),
      effectivePrice: amount(currency.code, charge.effectivePrice),
      exchangeRate: charge.exchangeRate.toFixed(),
      invoice: pending ? 'Pending' : invoice,
      ...(!pending && { invoiceId: `${account}/invoices/${invoice}` }),
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
        refundTransactionDetails: refundOf(random, billed, charge.total),
      }),
      servicePeriodStartDate: day(month, 1, 0),
      servicePeriodEndDate: product.reservation ? day(month + 12, 1, 0) : day(month + 1, 1, 0),
      subTotal: amount(billed, charge.subTotal),
      tax: amount(billed, charge.tax),
      transactionAmount: amount(billed, charge.total),
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

/** Ten-thousandths of a US dollar that one of a currency costs. */
function rateOf(code: string): number {
  return currencies.find((each) => each.code === code)?.rate ?? 10_000;
}

/**
 * Prices are in the pricing currency, totals in the billing currency, rounded to cents; totals of
 * refunds are negative.
 */
function chargeOf(
  random: Random,
  product: Product,
  rates: { readonly priced: number; readonly billed: number },
  kind: string,
): Charge {
  const units = new ExactDecimal(random.below(product.most * 100) + 1).div(100);
  const discount = new ExactDecimal(random.pick([0, 0, 0, 5, 10, 15])).div(100);
  const exchangeRate = new ExactDecimal(rates.priced).div(rates.billed).toDecimalPlaces(4);
  // cents / 100 / (rate / 10,000)
  const marketPrice = new ExactDecimal(product.cents).mul(100).div(rates.priced).toDecimalPlaces(6);
  const effectivePrice = marketPrice.mul(new ExactDecimal(1).sub(discount));
  const charge = effectivePrice.mul(units).mul(exchangeRate).toDecimalPlaces(2);
  const subTotal = kind === 'refund' ? charge.neg() : charge;
  const tax = subTotal.mul(0.19).toDecimalPlaces(2);
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

function refundOf(random: Random, currency: string, total: Decimal): Record<string, unknown> {
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

/** A time in the year of the data; further months start over. */
function day(month: number, date: number, hour: number): string {
  return `${new Date(Date.UTC(2025, month, date, hour)).toISOString().slice(0, 19)}Z`;
}
