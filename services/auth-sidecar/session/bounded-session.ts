import { encodeSession, type Session } from './session.js';

/**
 * The longest session, in bytes before it is sealed: together with the cookies of sign-ins in progress and whatever else a browser sends it
 * stays below the 16 KB of headers that are taken, so that no one is locked out by what a provider says of them.
 */
const mostBytes = 6 * 1024;

/** A session that fits its cookies: while it does not, the longest claim is left out. */
export function withinBounds(session: Session): Session {
  let bounded = session;
  while (encodeSession(bounded).length > mostBytes) {
    const [longest] = Object.entries(bounded.identity.claims)
      .map(([key, value]) => [key, JSON.stringify(value).length] as const)
      .sort((a, b) => b[1] - a[1]);
    if (longest === undefined) return bounded;
    const claims = Object.fromEntries(Object.entries(bounded.identity.claims).filter(([key]) => key !== longest[0]));
    bounded = { ...bounded, identity: { ...bounded.identity, claims } };
  }
  return bounded;
}
