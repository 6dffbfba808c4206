import type { ProviderSettings } from '../../services/auth-sidecar/decisions.js';
import { openProviders } from '../answer/overview.js';
import { isOpenToAll } from '../decide/public-paths.js';
import type { AppAccess } from '../stack/apps.js';
import type { DirectionProof } from './proof.js';

/** A way in for people, or for applications, who are not in the directory that is read. */
interface OutsideEntry {
  /** Who comes this way: `anyone with an account at codehost`. */
  readonly who: string;
  /** The provider's name, or of bearer tokens the issuer. */
  readonly provider: string;
  /** Where the accounts come from. */
  readonly source: string;
  /** What they must hold. */
  readonly rules: string;
}

/**
 * Compares two versions of an app by the ways in that no rule of the directory decides: accounts at
 * other providers, tokens of other issuers, and tokens for other audiences and of other
 * applications.
 */
export function proveOutsideDirectory(
  app: AppAccess,
  otherVersion: AppAccess | undefined,
  when: 'now' | 'before',
): DirectionProof {
  // the caller compares what a browser without a session reaches
  if (isOpenToAll(app) || (otherVersion !== undefined && isOpenToAll(otherVersion)))
    return { verdict: 'none' };
  const otherEntries = new Map(outsideEntries(otherVersion).map((each) => [each.provider, each]));
  const unknownReasons: string[] = [];
  for (const { who, provider, source, rules } of outsideEntries(app)) {
    const otherEntry = otherEntries.get(provider);
    if (otherEntry?.source !== source)
      return {
        verdict: 'new',
        example: { attributes: { provider } },
        reasons: [
          otherEntry === undefined
            ? `${when}: ${who}`
            : `${when}: ${who}, which are those of ${source} and were not`,
        ],
      };
    if (otherEntry.rules !== rules)
      unknownReasons.push(`what ${who} must hold changed: it is not decided for all`);
  }
  unknownReasons.push(...describeAcceptedTokens(app, otherVersion));
  return unknownReasons.length === 0
    ? { verdict: 'none' }
    : { verdict: 'unknown', reasons: unknownReasons };
}

function outsideEntries(app: AppAccess | undefined): readonly OutsideEntry[] {
  const { settings } = app ?? {};
  if (app === undefined || settings?.enabled !== true) return [];
  const openProviderNames = openProviders(app);
  const nameOf = ({ key, pathNames }: ProviderSettings): string =>
    key === 'azureActiveDirectory' ? 'directory' : pathNames[0];
  const shared = [settings.emailDomains, settings.requirements];
  return [
    ...settings.providers
      .filter((each) => openProviderNames.includes(nameOf(each)))
      .map((each) => ({
        who: `anyone with an account at ${nameOf(each)}`,
        provider: nameOf(each),
        source: sourceOf(each),
        rules: JSON.stringify([each.rules, each.trustsEmail, policyOf(each), shared]),
      })),
    ...settings.bearerIssuers.map((each) => ({
      who: `anyone with a token of ${each.issuer ?? each.key}`,
      provider: each.issuer ?? each.key,
      source: sourceOf(each),
      rules: JSON.stringify([each.rules, each.audiences, shared]),
    })),
  ];
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

/**
 * Describes tokens of the directory that only one of two apps accepts, by audience or application.
 */
function describeAcceptedTokens(
  app: AppAccess,
  otherVersion: AppAccess | undefined,
): readonly string[] {
  const [settings, otherSettings] = [app, otherVersion].map(
    (each) => each?.directorySignIn?.settings,
  );
  if (settings === undefined || otherSettings === undefined) return [];
  const audiences = settings.audiences.filter((each) => !otherSettings.audiences.includes(each));
  const isOpened = (list: 'applications' | 'claimApplications'): boolean => {
    const [now, then] = [settings.policy[list], otherSettings.policy[list]];
    return then.length > 0 && (now.length === 0 || now.some((each) => !then.includes(each)));
  };
  const reasons =
    audiences.length === 0
      ? []
      : [`tokens for ${audiences.join(', ')} are taken: who gets one is not decided`];
  if (isOpened('applications') || isOpened('claimApplications'))
    reasons.push('other applications may call: whose tokens they hold is not decided');
  return reasons;
}
