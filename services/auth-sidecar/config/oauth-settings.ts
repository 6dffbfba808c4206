import type { OAuth1Settings, OAuth2Settings } from './settings.js';
import { byClientId, common, type ProviderSource } from './provider-source.js';

/** The social network. */
export function social(source: ProviderSource): OAuth2Settings {
  const given = source.endpoints['facebook'] ?? {};
  const version = source.read.text('identityProviders.facebook.graphApiVersion') ?? 'v19.0';
  if (!/^v\d+\.\d+$/.test(version)) source.read.problem('identityProviders.facebook.graphApiVersion', 'must be like v19.0');
  const inspection = given['debugToken'] ?? (given['user'] === undefined ? `https://graph.facebook.com/${version}/debug_token` : undefined);
  const shared = common(source, 'facebook', { id: 'appId', secret: 'appSecretSettingName' });
  return {
    ...shared,
    scopes: shared.scopes.length > 0 ? shared.scopes : ['public_profile', 'email'],
    protocol: 'oauth2',
    flavor: 'social',
    authorization: given['authorization'] ?? `https://www.facebook.com/${version}/dialog/oauth`,
    token: given['token'] ?? `https://graph.facebook.com/${version}/oauth/access_token`,
    user: given['user'] ?? `https://graph.facebook.com/${version}/me?fields=id,name,email`,
    ...(inspection === undefined ? {} : { inspection }),
  };
}

/** The code host. */
export function codehost(source: ProviderSource): OAuth2Settings {
  const given = source.endpoints['gitHub'] ?? {};
  const shared = common(source, 'gitHub', byClientId);
  const inspection =
    given['checkToken'] ??
    (given['user'] === undefined ? `https://api.github.com/applications/${encodeURIComponent(shared.clientId)}/token` : undefined);
  return {
    ...shared,
    scopes: shared.scopes,
    protocol: 'oauth2',
    flavor: 'codehost',
    authorization: given['authorization'] ?? 'https://github.com/login/oauth/authorize',
    token: given['token'] ?? 'https://github.com/login/oauth/access_token',
    user: given['user'] ?? 'https://api.github.com/user',
    ...(inspection === undefined ? {} : { inspection }),
  };
}

/** The microblog. */
export function microblog(source: ProviderSource): OAuth1Settings {
  const given = source.endpoints['twitter'] ?? {};
  const shared = common(source, 'twitter', { id: 'consumerKey', secret: 'consumerSecretSettingName' });
  if (source.read.text('identityProviders.twitter.registration.consumerSecretSettingName') === undefined)
    source.read.problem('identityProviders.twitter.registration.consumerSecretSettingName', 'is required');
  return {
    ...shared,
    clientSecret: shared.clientSecret ?? '',
    protocol: 'oauth1',
    requestToken: given['requestToken'] ?? 'https://api.twitter.com/oauth/request_token',
    authenticate: given['authenticate'] ?? 'https://api.twitter.com/oauth/authenticate',
    accessToken: given['accessToken'] ?? 'https://api.twitter.com/oauth/access_token',
    user: given['user'] ?? 'https://api.twitter.com/1.1/account/verify_credentials.json?include_email=true',
  };
}
