import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../services/common/clock.js';
import type { SigningKey } from '../identity-provider/signing-key.js';
import { defaultSeconds } from './fault.js';
import type { FaultInjector } from './injector.js';
import { callersInClaims, callerIdentifiers } from './request-match.js';

/** A signing key whose tokens are issued in the future while the fault `clockAhead` is injected. */
export function withClockSkew(key: SigningKey, clock: Clock, faults: FaultInjector): SigningKey {
  return {
    ...key,
    sign(claims, lifetimeSeconds) {
      // Every token, of the implicit flow too, counts as issued by the token endpoint.
      const fault = faults.drawFault(['clockAhead'], {
        service: 'identity-provider',
        method: 'POST',
        path: '/oauth2/v2.0/token',
        callers: callersInClaims(claims),
      });
      if (fault === undefined) return key.sign(claims, lifetimeSeconds);
      const { seconds: ahead = defaultSeconds.clockAhead } = fault;
      const now = Math.floor(clock.now().getTime() / 1000) + ahead;
      return key.sign(
        { iat: now, nbf: now, exp: now + lifetimeSeconds, ...claims },
        lifetimeSeconds,
      );
    },
  };
}

/**
 * For each app, a predicate for the requests that must reach it without the headers of the signed-in
 * person; undefined while the fault `lostPrincipal` is not injected. An app gets the same function each
 * time, because its sign-in layer is restarted when the function changes.
 */
export function dropPrincipalPredicates(
  faults: FaultInjector,
): (app: string) => ((request: IncomingMessage) => boolean) | undefined {
  const predicates = new Map<string, (request: IncomingMessage) => boolean>();
  return (app) => {
    if (!faults.hasFaultOfKind('lostPrincipal')) return undefined;
    const existing = predicates.get(app);
    if (existing !== undefined) return existing;
    const shouldDropPrincipal = ({
      method = 'GET',
      url = '/',
      headers,
    }: IncomingMessage): boolean =>
      faults.drawFault(['lostPrincipal'], {
        service: 'app',
        method,
        path: url.replace(/[?#].*$/s, ''),
        callers: [app.toLowerCase(), ...callerIdentifiers(headers.authorization)],
      }) !== undefined;
    predicates.set(app, shouldDropPrincipal);
    return shouldDropPrincipal;
  };
}
