/** The sender of a request, from its token (`castellan serve --issuer`). */
export interface Caller {
  /**
   * `user`: a delegated token. `application`: a token with `idtyp: app`, or without `scp` and with
   * `oid` as `sub`. `unrestricted`: `--no-auth`, may do everything.
   */
  readonly kind: 'user' | 'application' | 'unrestricted';
  /** Object id of the user or of the application's service principal; empty for `unrestricted`. */
  readonly objectId: string;
  /** The tenant that issued the token. */
  readonly tenantId: string;
  /** The client application's id (`appid` or `azp`). */
  readonly applicationId?: string;
  /** The person's name in the token. */
  readonly name?: string;
  /** Delegated permissions (`scp`). */
  readonly scopes: ReadonlySet<string>;
  /** Application permissions (`roles`). */
  readonly roles: ReadonlySet<string>;
  /** Directory role template ids (`wids`). */
  readonly directoryRoles: ReadonlySet<string>;
  /** Object ids of groups in the token (`groups`); it may contain none of the person's groups. */
  readonly groups?: ReadonlySet<string>;
  /** `acct: 1`. */
  readonly isGuest: boolean;
  /** A personal account: tenant {@link personalAccountTenant}. */
  readonly isPersonal: boolean;
}

/** The tenant id that tokens of personal accounts carry. */
export const personalAccountTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** The caller of `--no-auth`. */
export const unrestrictedCaller: Caller = {
  kind: 'unrestricted',
  objectId: '',
  tenantId: '',
  scopes: new Set(),
  roles: new Set(),
  directoryRoles: new Set(),
  isGuest: false,
  isPersonal: false,
};
