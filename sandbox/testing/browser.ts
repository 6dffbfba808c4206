import type * as Undici from 'undici';
import { createSecureContext } from 'node:tls';

/** `fetch` of one browser: it keeps cookies by host and follows redirects. */
export type BrowserFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const maxRedirects = 20;

/**
 * A `fetch` with cookies of its own that trusts a sandbox's authority and finds every name below
 * `localhost`, which not every resolver knows.
 *
 * @param ca the authority's certificate in PEM.
 */
export function openBrowser(ca: string): BrowserFetch {
  // jest does not run import() of a package
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { Agent, fetch, getSetCookies } = require('undici') as typeof Undici;
  const dispatcher = new Agent({
    connect: {
      secureContext: createSecureContext({ ca }),
      lookup: (_host, options, callback) =>
        options.all === true
          ? callback(null, [{ address: '127.0.0.1', family: 4 }])
          : callback(null, '127.0.0.1', 4),
    },
  });
  const cookies = new Map<string, Map<string, string>>();
  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    const hostCookies = cookies.get(url.host) ?? new Map<string, string>();
    cookies.set(url.host, hostCookies);
    const headers = new Headers(init.headers);
    if (hostCookies.size > 0)
      headers.set('cookie', [...hostCookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = (await fetch(url.href, {
      ...init,
      headers: [...headers],
      redirect: 'manual',
      dispatcher,
    } as Parameters<typeof fetch>[1])) as unknown as Response;
    for (const { name, value, maxAge, expires } of getSetCookies(
      answer.headers as unknown as Parameters<typeof getSetCookies>[0],
    ))
      if ((maxAge ?? 1) <= 0 || (expires !== undefined && Number(expires) < Date.now()))
        hostCookies.delete(name);
      else hostCookies.set(name, value);
    return answer;
  };
  return async (start, init = {}) => {
    let [url, currentInit] = [new URL(start), init];
    for (let redirects = 0; ; redirects++) {
      const answer = await send(url, currentInit);
      const location = answer.headers.get('location');
      if (location === null || answer.status < 300 || init.redirect === 'manual') return answer;
      if (redirects === maxRedirects) throw new TypeError(`too many redirects at ${url.href}`);
      await answer.body?.cancel();
      url = new URL(location, url);
      // as in browsers, a redirect after a form is followed by GET
      if (answer.status !== 307 && answer.status !== 308)
        currentInit = { ...currentInit, method: 'GET', body: null };
    }
  };
}
