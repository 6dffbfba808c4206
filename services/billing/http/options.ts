import { billingLimits } from '../../../kinds/transaction/limits.js';
import { BillingError } from './errors.js';

/** The query options of the listing, checked one by one; `filter`, `orderBy` and `search` still as text. */
export interface ListOptions {
  readonly filter: string;
  readonly orderBy: string;
  readonly search: string;
  /** @default 50 */
  readonly top: number;
  readonly skip: number;
  readonly count: boolean;
  /** Where a next link goes on. */
  readonly skipToken: string | undefined;
}

/**
 * Reads the query options of spec 002, "List transactions of an invoice".
 *
 * @throws BillingError 400 that names the option.
 */
export function readOptions(query: URLSearchParams): ListOptions {
  const one = (name: string): string | undefined => {
    const values = query.getAll(name);
    if (values.length > 1) throw invalid(name, `The query option "${name}" is given ${values.length} times.`);
    return values[0];
  };
  const version = one('api-version');
  const { apiVersion, top: limit } = billingLimits;
  if (version === undefined || version === '')
    throw new BillingError(
      400,
      'MissingApiVersionParameter',
      `The query option "api-version" is required. The supported version is '${apiVersion}'.`,
      {
        target: 'api-version',
      },
    );
  if (version !== apiVersion)
    throw new BillingError(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${version}' is not supported. The supported version is '${apiVersion}'.`,
      {
        target: 'api-version',
      },
    );
  const top = integer('top', one('top')) ?? limit.maximum;
  if (top > limit.maximum) throw invalid('top', `The query option "top" is ${top}; at most ${limit.maximum} are allowed.`);
  const count = one('count');
  if (count !== undefined && !/^(true|false)$/i.test(count))
    throw invalid('count', `The query option "count" is ${JSON.stringify(count)}; true and false are allowed.`);
  return {
    filter: one('filter') ?? '',
    orderBy: one('orderBy') ?? '',
    search: one('search') ?? '',
    top,
    skip: integer('skip', one('skip')) ?? 0,
    count: count?.toLowerCase() === 'true',
    skipToken: one('skiptoken'),
  };
}

/** Of a signed integer of 64 bits. */
const greatest = 2n ** 63n - 1n;

function integer(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value > greatest)
    throw invalid(name, `The query option "${name}" is ${JSON.stringify(text)}; an integer from 0 to ${greatest} is allowed.`);
  // No listing is longer: the databases take no more.
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}

function invalid(target: string, message: string): BillingError {
  return new BillingError(400, 'InvalidParameter', message, { target });
}
