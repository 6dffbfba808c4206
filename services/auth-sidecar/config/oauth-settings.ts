import type { OAuth1Settings, OAuth2Settings } from './settings.js';
import {
  clientIdProperties,
  commonSettings,
  type ProviderSource,
} from './common-provider-settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The settings of the social network provider. */
export function socialSettings(source: ProviderSource): Omit<OAuth2Settings, 'claimsUsedByRules'> {
  const addresses = source.endpoints['facebook'] ?? {};
  const version = source.reader.text('identityProviders.facebook.graphApiVersion') ?? 'v19.0';
  if (!/^v\d+\.\d+$/.test(version))
    source.reader.addProblem('identityProviders.facebook.graphApiVersion', 'must be like v19.0');
  const tokenInspectionEndpoint =
    addresses['debugToken'] ??
    (addresses['user'] === undefined
      ? `https://graph.facebook.com/${version}/debug_token`
      : undefined);
  const settings = commonSettings(source, 'facebook', {
    id: 'appId',
    secret: 'appSecretSettingName',
  });
  if (tokenInspectionEndpoint === undefined)
    warnAboutUncheckedTokens(source, 'facebook', 'debugToken');
  return {
    ...settings,
    scopes: settings.scopes.length > 0 ? settings.scopes : ['public_profile', 'email'],
    protocol: 'oauth2',
    flavor: 'social',
    authorizationEndpoint:
      addresses['authorization'] ?? `https://www.facebook.com/${version}/dialog/oauth`,
    tokenEndpoint: addresses['token'] ?? `https://graph.facebook.com/${version}/oauth/access_token`,
    userEndpoint:
      addresses['user'] ?? `https://graph.facebook.com/${version}/me?fields=id,name,email`,
    ...omitUndefined({ tokenInspectionEndpoint }),
  };
}

/** The settings of the code host provider. */
export function codehostSettings(
  source: ProviderSource,
): Omit<OAuth2Settings, 'claimsUsedByRules'> {
  const addresses = source.endpoints['gitHub'] ?? {};
  const settings = commonSettings(source, 'gitHub', clientIdProperties);
  const tokenInspectionEndpoint =
    addresses['checkToken'] ??
    (addresses['user'] === undefined
      ? `https://api.github.com/applications/${encodeURIComponent(settings.clientId)}/token`
      : undefined);
  if (tokenInspectionEndpoint === undefined)
    warnAboutUncheckedTokens(source, 'gitHub', 'checkToken');
  return {
    ...settings,
    scopes: settings.scopes,
    protocol: 'oauth2',
    flavor: 'codehost',
    authorizationEndpoint: addresses['authorization'] ?? 'https://github.com/login/oauth/authorize',
    tokenEndpoint: addresses['token'] ?? 'https://github.com/login/oauth/access_token',
    userEndpoint: addresses['user'] ?? 'https://api.github.com/user',
    ...omitUndefined({ tokenInspectionEndpoint }),
  };
}

function warnAboutUncheckedTokens({ reader }: ProviderSource, key: string, endpoint: string): void {
  reader.warnings.push(
    `the endpoints of ${key} have no ${endpoint}: a token that a client posts is accepted whichever app it was issued to`,
  );
}

/** The settings of the microblog provider. */
export function microblogSettings(
  source: ProviderSource,
): Omit<OAuth1Settings, 'claimsUsedByRules'> {
  const addresses = source.endpoints['twitter'] ?? {};
  const settings = commonSettings(source, 'twitter', {
    id: 'consumerKey',
    secret: 'consumerSecretSettingName',
  });
  if (
    source.reader.text('identityProviders.twitter.registration.consumerSecretSettingName') ===
    undefined
  )
    source.reader.addProblem(
      'identityProviders.twitter.registration.consumerSecretSettingName',
      'is required',
    );
  return {
    ...settings,
    clientSecret: settings.clientSecret ?? '',
    protocol: 'oauth1',
    requestTokenEndpoint:
      addresses['requestToken'] ?? 'https://api.twitter.com/oauth/request_token',
    authenticateEndpoint: addresses['authenticate'] ?? 'https://api.twitter.com/oauth/authenticate',
    accessTokenEndpoint: addresses['accessToken'] ?? 'https://api.twitter.com/oauth/access_token',
    userEndpoint:
      addresses['user'] ??
      'https://api.twitter.com/1.1/account/verify_credentials.json?include_email=true',
  };
}
