import type { ProviderSettings } from '../../services/auth-sidecar/access-decisions.js';
import { limitsAccounts } from './provider-accounts.js';
import { providersOpenToAnyone } from './overview.js';
import type { AppAccess } from '../stack/apps.js';

/** A way in for people, or for applications, who are not in the directory that is read. */
export interface OutsideAccess {
  /** Who comes this way: `anyone with an account at codehost`. */
  readonly who: string;
  /** The provider's name, or of bearer tokens the issuer. */
  readonly provider: string;
  /** Where the accounts come from. */
  readonly source: string;
  /** The groups and claims of which they must hold one each. */
  readonly rules: string;
  /** What else they must hold. */
  readonly otherRules: string;
  /** Whether groups, claims or accounts are listed, so that not all of them get in. */
  readonly isLimited: boolean;
}

/** A way in that another version of the app does not have. */
export interface OutsideAccessDifference extends OutsideAccess {
  /** Whether the other version has the provider, with accounts from elsewhere. */
  readonly isRepointed: boolean;
  /** Whether the other version lets in only some of these accounts. */
  readonly isLimitedElsewhere: boolean;
}

/**
 * The ways into an app for accounts elsewhere. A directory of another tenant is one of them also
 * where groups or principals are listed: whoever runs it says who is in them.
 */
export function outsideAccessOf(app: AppAccess | undefined): readonly OutsideAccess[] {
  const { settings } = app ?? {};
  if (app === undefined || settings?.enabled !== true) return [];
  const openProviderNames = providersOpenToAnyone(app);
  const shared = [settings.emailDomains, settings.requirements];
  const isOutside = (each: ProviderSettings): boolean =>
    openProviderNames.includes(nameOf(each)) ||
    (isDirectory(each) && typeof app.directorySignIn?.tenant === 'object');
  return [
    ...settings.providers.filter(isOutside).map((each) => ({
      who: `anyone with an account at ${nameOf(each)}`,
      provider: nameOf(each),
      source:
        isDirectory(each) && app.directorySignIn?.tenant === 'own'
          ? 'the own tenant'
          : sourceOf(each),
      rules: JSON.stringify(each.rules),
      otherRules: JSON.stringify([each.trustsEmail, policyOf(each), shared]),
      isLimited: !openProviderNames.includes(nameOf(each)) || limitsAccounts(each.rules),
    })),
    ...settings.bearerIssuers.map((each) => ({
      who: `anyone with a token of ${each.issuer ?? each.key}`,
      provider: each.issuer ?? each.key,
      source: sourceOf(each),
      rules: JSON.stringify(each.rules),
      otherRules: JSON.stringify([each.audiences, shared]),
      isLimited: limitsAccounts(each.rules),
    })),
  ];
}

/**
 * The ways into an app for accounts elsewhere that another version of it does not have: a provider
 * that it lacks, one whose accounts come from elsewhere there, or one that it limits.
 */
export function outsideAccessOnlyIn(
  app: AppAccess | undefined,
  otherVersion: AppAccess | undefined,
): readonly OutsideAccessDifference[] {
  const otherEntries = new Map(outsideAccessOf(otherVersion).map((each) => [each.provider, each]));
  const otherProviders = new Set(
    otherVersion?.settings?.enabled === true ? otherVersion.settings.providers.map(nameOf) : [],
  );
  return outsideAccessOf(app).flatMap((entry) => {
    const other = otherEntries.get(entry.provider);
    const isFromElsewhere = other?.source !== entry.source;
    return isFromElsewhere || (other.isLimited && !entry.isLimited)
      ? [
          {
            ...entry,
            isRepointed: isFromElsewhere && otherProviders.has(entry.provider),
            isLimitedElsewhere: !isFromElsewhere,
          },
        ]
      : [];
  });
}

function isDirectory({ key }: ProviderSettings): boolean {
  return key === 'azureActiveDirectory';
}

function nameOf(provider: ProviderSettings): string {
  return isDirectory(provider) ? 'directory' : provider.pathNames[0];
}

function policyOf(provider: ProviderSettings): unknown {
  return provider.protocol === 'openid' ? [provider.policy, provider.audiences] : [];
}

/** The addresses by which a provider identifies people. */
function sourceOf(provider: ProviderSettings): string {
  switch (provider.protocol) {
    case 'openid': {
      const { issuer, wellKnown, explicitEndpoints, userInfoEndpoint } = provider;
      const explicit = Object.values(explicitEndpoints ?? {});
      const addresses = [issuer, wellKnown, ...explicit, userInfoEndpoint];
      return addresses.filter((each) => each !== undefined).join(' ');
    }
    case 'oauth2':
      return [provider.authorizationEndpoint, provider.tokenEndpoint, provider.userEndpoint].join(
        ' ',
      );
    case 'oauth1':
      return [
        provider.authenticateEndpoint,
        provider.accessTokenEndpoint,
        provider.userEndpoint,
      ].join(' ');
  }
}
