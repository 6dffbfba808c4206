import { transaction } from '../../kinds/transaction/transaction.js';
import { invalidParameter } from './errors.js';

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

/** Reads the query options of the listing. @throws BillingError 400 that names the option. */
export function readOptions(query: URLSearchParams): ListOptions {
  const one = (name: string): string | undefined => {
    const values = query.getAll(name);
    if (values.length > 1) throw invalidParameter(name, `The query option "${name}" is given ${values.length} times.`);
    return values[0];
  };
  checkVersion(one('api-version') ?? '');
  const { maximum } = transaction.limits.top;
  const top = integer('top', one('top')) ?? maximum;
  if (top > maximum) throw invalidParameter('top', `The query option "top" is ${top}; at most ${maximum} are allowed.`);
  const count = one('count');
  if (count !== undefined && !/^(true|false)$/i.test(count))
    throw invalidParameter('count', `The query option "count" is ${JSON.stringify(count)}; true and false are allowed.`);
  return {
    ...{ filter: one('filter') ?? '', orderBy: one('orderBy') ?? '', search: one('search') ?? '', top },
    ...{ skip: integer('skip', one('skip')) ?? 0, count: count?.toLowerCase() === 'true', skipToken: one('skiptoken') },
  };
}

function checkVersion(version: string): void {
  const { apiVersion } = transaction.limits;
  const supported = `The supported version is '${apiVersion}'.`;
  if (version === '')
    throw invalidParameter('api-version', `The query option "api-version" is required. ${supported}`, 'MissingApiVersionParameter');
  if (version !== apiVersion)
    throw invalidParameter('api-version', `The api-version '${version}' is not supported. ${supported}`, 'InvalidApiVersionParameter');
}

/** Of a signed integer of 64 bits. */
const greatest = 2n ** 63n - 1n;

function integer(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > greatest)
    throw invalidParameter(name, `The query option "${name}" is ${JSON.stringify(text)}; an integer from 0 to ${greatest} is allowed.`);
  // No listing is longer: the databases take no more.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
