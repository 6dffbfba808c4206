import type { ProviderSettings } from '../config/settings.js';
import type { Log } from '../operations/log.js';
import type { SecondsClock } from '../seconds-clock.js';
import { OAuth1Provider } from './oauth1.js';
import { OAuth2Provider } from './oauth2.js';
import { OpenIdProvider } from './openid.js';
import type { Provider } from './provider.js';
import type { ProviderHttp } from './provider-http.js';

/**
 * Creates the provider of a configuration entry.
 *
 * @param clockTolerance how far the provider's clock may differ, in seconds.
 * @param log for reasons that the answers to users do not tell.
 */
export function createProvider(
  settings: ProviderSettings,
  http: ProviderHttp,
  now: SecondsClock,
  clockTolerance: number,
  log?: Log,
): Provider {
  switch (settings.protocol) {
    case 'openid':
      return new OpenIdProvider(settings, http, now, clockTolerance, log);
    case 'oauth2':
      return new OAuth2Provider(settings, http, now);
    case 'oauth1':
      return new OAuth1Provider(settings, http, now);
  }
}
