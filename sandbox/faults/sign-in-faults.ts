import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../services/common/clock.js';
import type { SigningKey } from '../identity-provider/signing-key.js';
import type { FaultInjector } from './injector.js';
import { callersOf } from './request-match.js';

/** A signing key whose clock is ahead while such a fault is played. */
export function withClockSkew(key: SigningKey, clock: Clock, faults: FaultInjector): SigningKey {
  return {
    ...key,
    sign(claims, seconds) {
      const callers = [claims['appid'], claims['oid'], claims.sub].map((each) => String(each));
      const fault = faults.draw(['clockAhead'], {
        service: 'identity-provider',
        method: 'POST',
        path: '/oauth2/v2.0/token',
        callers,
      });
      if (fault === undefined) return key.sign(claims, seconds);
      const now = Math.floor(clock.now().getTime() / 1000) + (fault.seconds ?? 600);
      return key.sign({ iat: now, nbf: now, exp: now + seconds, ...claims }, seconds);
    },
  };
}

/**
 * Picks the requests to an app that lose their principal; undefined where no such fault is played.
 */
export function principalLossPicker(
  faults: FaultInjector,
): (app: string) => ((request: IncomingMessage) => boolean) | undefined {
  const byApp = new Map<string, (request: IncomingMessage) => boolean>();
  return (app) => {
    if (!faults.has('lostPrincipal')) return undefined;
    const known = byApp.get(app);
    if (known !== undefined) return known;
    const loses = ({ method = 'GET', url = '/', headers }: IncomingMessage): boolean =>
      faults.draw(['lostPrincipal'], {
        service: 'app',
        method,
        path: url.replace(/[?#].*$/s, ''),
        callers: [app.toLowerCase(), ...callersOf(headers.authorization)],
      }) !== undefined;
    byApp.set(app, loses);
    return loses;
  };
}
