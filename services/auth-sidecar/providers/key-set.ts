import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose';
import type { Seconds } from '../token-store/entry-store.js';
import { Refusal } from '../http/refusal.js';
import type { ProviderHttp } from './provider-http.js';

const freshFor = 15 * 60;
const usableFor = 24 * 3600;
/**
 * Unknown key ids may trigger this many fetches at once, and then one per interval: a flood of
 * forged tokens causes no more requests.
 */
const burst = 3;
const interval = 30;

/** A provider's published keys, fetched only when needed. */
export class KeySet {
  private keys: ReturnType<typeof createLocalJWKSet> | undefined;
  private fetchedAt = 0;
  private fetching: Promise<void> | undefined;
  private allowance = burst;
  private allowanceAt = 0;

  constructor(
    private readonly url: string,
    private readonly http: ProviderHttp,
    private readonly now: Seconds,
  ) {}

  /**
   * Finds the key of a token. @throws jose's JWKSNoMatchingKey, Refusal 502/504 when the keys
   * cannot be fetched
   */
  readonly find: JWTVerifyGetKey = async (
    header: JWSHeaderParameters,
    token: FlattenedJWSInput,
  ) => {
    await this.ready();
    try {
      return await this.current(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.mayAskAgain()) throw error;
      await this.refresh(true);
      return this.current(header, token);
    }
  };

  /**
   * Fetches the keys if there are none, or they are old. @throws Refusal 502 or 504 when no usable
   * ones are available
   */
  async ready(): Promise<void> {
    const age = this.now() - this.fetchedAt;
    if (this.keys === undefined || age > freshFor)
      await this.refresh(this.keys !== undefined && age < usableFor);
  }

  private current(
    header: JWSHeaderParameters,
    token: FlattenedJWSInput,
  ): ReturnType<ReturnType<typeof createLocalJWKSet>> {
    if (this.keys === undefined)
      throw new Refusal(502, 'The keys of the identity provider could not be fetched.', {
        code: 'provider_unreachable',
      });
    return this.keys(header, token);
  }

  private mayAskAgain(): boolean {
    const now = this.now();
    const tokens = Math.floor((now - this.allowanceAt) / interval);
    if (tokens > 0) {
      this.allowance = Math.min(burst, this.allowance + tokens);
      this.allowanceAt = now;
    }
    if (this.allowance === 0) return false;
    this.allowance--;
    return true;
  }

  private async refresh(tolerant: boolean): Promise<void> {
    this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
    try {
      await this.fetching;
    } catch (error) {
      if (!tolerant) throw error;
      this.fetchedAt = Math.max(this.fetchedAt, this.now() - freshFor + interval); // the old keys stay in use; the next fetch is later
    }
  }

  private async fetch(): Promise<void> {
    const { status, body } = await this.http(this.url, { signal: AbortSignal.timeout(8000) });
    if (status !== 200 || !Array.isArray(body['keys']))
      throw new Refusal(502, 'The keys of the identity provider could not be fetched.', {
        code: 'provider_unreachable',
      });
    this.keys = createLocalJWKSet(body as unknown as JSONWebKeySet);
    this.fetchedAt = this.now();
  }
}
