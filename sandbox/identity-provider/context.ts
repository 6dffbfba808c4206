import type { SandboxSettings } from '../settings.js';
import type { SigningKey } from './signing-key.js';
import type { PeopleAndApplications } from './people-and-applications.js';
import type { AppFetch } from './back-channel-logout.js';
import type { Refusal } from './refusals.js';

/** The parts of the sandbox that its identity provider needs. */
export interface IdentityProviderContext {
  /** The sandbox's address: `https://localhost:<port>`. */
  readonly origin: string;
  readonly settings: SandboxSettings;
  readonly key: SigningKey;
  readonly directory: PeopleAndApplications;
  /** Whether an application has this valid secret. */
  checkSecret(appId: string, secret: string): Promise<boolean>;
  /**
   * Called for each sign-in to an application, before the browser returns to it. `state` is the
   * parameter of the application's request (RFC 6749, section 4.1.1).
   */
  readonly onSignIn?: (personId: string, clientId: string, state: string | undefined) => void;
  /**
   * Sends logout tokens to apps (OpenID Connect Back-Channel Logout 1.0).
   *
   * @default none are sent
   */
  readonly appFetch?: AppFetch;
  /** The latest refusal of a person by an app of this registration. */
  readonly latestRefusal?: (
    personId: string,
    clientId: string,
  ) => { readonly app: string; readonly refusal: Refusal } | undefined;
}

/** The issuer of all tokens. */
export function issuerOf({
  origin,
  settings,
}: Pick<IdentityProviderContext, 'origin' | 'settings'>): string {
  return `${origin}/${settings.tenantId}/v2.0`;
}
