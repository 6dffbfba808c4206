import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose';

/**
 * Keys are fetched again after `freshSeconds`; while that fails, they stay in use for
 * `usableSeconds`.
 */
const freshSeconds = 15 * 60;
const usableSeconds = 24 * 3600;
/**
 * Unknown key ids may trigger this many fetches at once, and then one per interval: a flood of
 * forged tokens causes no more requests.
 */
const refetchBurst = 3;
const refetchIntervalSeconds = 30;

/** The published keys of an identity provider, fetched only when needed. */
export class KeySet {
  private keys: ReturnType<typeof createLocalJWKSet> | undefined;
  private fetchedAt = 0;
  private fetching: Promise<void> | undefined;
  private refetchAllowance = refetchBurst;
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
    const keys = await this.getKeys();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.takeRefetchAllowance()) throw error;
      return (await this.refresh(keys))(header, token);
    }
  };

  /**
   * Fetches the keys if there are none, or they are old.
   *
   * @throws the error of `fetchKeys` when no usable keys are available.
   */
  async getKeys(): Promise<ReturnType<typeof createLocalJWKSet>> {
    const ageSeconds = this.now() - this.fetchedAt;
    if (this.keys !== undefined && ageSeconds <= freshSeconds) return this.keys;
    return this.refresh(ageSeconds < usableSeconds ? this.keys : undefined);
  }

  private takeRefetchAllowance(): boolean {
    const now = this.now();
    const newAllowance = Math.floor((now - this.allowanceAt) / refetchIntervalSeconds);
    if (newAllowance > 0) {
      this.refetchAllowance = Math.min(refetchBurst, this.refetchAllowance + newAllowance);
      this.allowanceAt = now;
    }
    if (this.refetchAllowance === 0) return false;
    this.refetchAllowance--;
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
      this.fetchedAt = Math.max(this.fetchedAt, this.now() - freshSeconds + refetchIntervalSeconds);
    }
    return this.keys ?? (fallback as ReturnType<typeof createLocalJWKSet>);
  }

  private async fetch(): Promise<void> {
    this.keys = createLocalJWKSet(await this.fetchKeys());
    this.fetchedAt = this.now();
  }
}
