import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose';

/** In seconds: keys are fetched again after `freshFor`, and stay in use for `usableFor` without. */
const freshFor = 15 * 60;
const usableFor = 24 * 3600;
/**
 * Unknown key ids may trigger this many fetches at once, and then one per interval: a flood of
 * forged tokens causes no more requests.
 */
const burst = 3;
const interval = 30;

/** The published keys of an identity provider, fetched only when needed. */
export class KeySet {
  private keys: ReturnType<typeof createLocalJWKSet> | undefined;
  private fetchedAt = 0;
  private fetching: Promise<void> | undefined;
  private allowance = burst;
  private allowanceAt = 0;

  /**
   * @param fetchKeys fetches the provider's JSON Web Key Set, and throws when it can't.
   * @param now in seconds.
   */
  constructor(
    private readonly fetchKeys: () => Promise<JSONWebKeySet>,
    private readonly now: () => number,
  ) {}

  /**
   * Finds the key of a token.
   *
   * @throws jose's JWKSNoMatchingKey; the error of `fetchKeys` when no usable keys are available.
   */
  readonly find: JWTVerifyGetKey = async (
    header: JWSHeaderParameters,
    token: FlattenedJWSInput,
  ) => {
    const keys = await this.ready();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.mayAskAgain()) throw error;
      return (await this.refresh(keys))(header, token);
    }
  };

  /**
   * Fetches the keys if there are none, or they are old.
   *
   * @throws the error of `fetchKeys` when no usable keys are available.
   */
  async ready(): Promise<ReturnType<typeof createLocalJWKSet>> {
    const age = this.now() - this.fetchedAt;
    if (this.keys !== undefined && age <= freshFor) return this.keys;
    return this.refresh(age < usableFor ? this.keys : undefined);
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

  /** @param fallback the keys that stay in use when the fetch fails. */
  private async refresh(
    fallback: ReturnType<typeof createLocalJWKSet> | undefined,
  ): Promise<ReturnType<typeof createLocalJWKSet>> {
    this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
    try {
      await this.fetching;
    } catch (error) {
      if (fallback === undefined) throw error;
      // The next fetch is later
      this.fetchedAt = Math.max(this.fetchedAt, this.now() - freshFor + interval);
    }
    return this.keys ?? (fallback as ReturnType<typeof createLocalJWKSet>);
  }

  private async fetch(): Promise<void> {
    this.keys = createLocalJWKSet(await this.fetchKeys());
    this.fetchedAt = this.now();
  }
}
