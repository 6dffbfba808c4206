import { Agent, request as openRequest } from 'node:http';
import {
  browser,
  CookieJar,
  type RawAnswer,
  type RequestShape,
} from '../../services/auth-sidecar/support/raw-client.js';

/**
 * One connection to each server: the answer doesn't depend on the connection, and thousands of new
 * ones take their time.
 */
const agent = new Agent({ keepAlive: true });

/** Sends a request with the path as it is written. */
function request(
  origin: string,
  { method = 'GET', path = '/', headers = {}, body }: RequestShape,
): Promise<Omit<RawAnswer, 'text'>> {
  return new Promise((done, fail) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const outgoing = openRequest(
      origin,
      { method, path, headers: { ...headers, ...length }, agent },
      (answer) => {
        let text = '';
        answer.setEncoding('latin1').on('data', (part: string) => (text += part));
        answer.once('end', () => {
          const headerEntries = Object.entries(answer.headersDistinct).map(
            ([name, values]) => [name, values ?? []] as const,
          );
          done({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(headerEntries),
            body: text,
          });
        });
      },
    );
    outgoing.once('error', fail).end(body);
  });
}

/** A browser after someone tried to sign in with it. */
export interface SignedInBrowser {
  /**
   * The status of the last answer of the app's sign-in layer; undefined when the browser never came
   * back from the directory.
   */
  readonly callbackStatus: number | undefined;
  /** The status at a path of the app. */
  get(path: string): Promise<number>;
}

/** A browser without a session. */
export function freshBrowser(app: string): SignedInBrowser {
  return browserOf(app, new CookieJar(), undefined);
}

/**
 * Signs a person in as a browser does: to the app's sign-in layer, to the directory's page, to the
 * person's button, and back.
 */
export async function signInBrowser(
  app: string,
  prefix: string,
  personId: string,
): Promise<SignedInBrowser> {
  const jars = new Map<string, CookieJar>();
  const jarOf = (origin: string): CookieJar => {
    const jar = jars.get(origin) ?? new CookieJar();
    jars.set(origin, jar);
    return jar;
  };
  const go = async (url: string, form?: string): Promise<Omit<RawAnswer, 'text'>> => {
    const { origin, pathname, search } = new URL(url);
    const jar = jarOf(origin);
    const answer = await request(origin, {
      path: pathname + search,
      headers: {
        ...browser,
        ...(jar.header !== '' && { Cookie: jar.header }),
        ...(form !== undefined && {
          'Content-Type': 'application/x-www-form-urlencoded',
          Origin: origin,
        }),
      },
      ...(form !== undefined && { method: 'POST', body: form }),
    });
    jar.take(answer);
    return answer;
  };
  let url = `${app}${prefix}/login/directory`;
  let answer = await go(url);
  for (let step = 0; step < 10; step++) {
    const location = answer.headers['location']?.[0];
    if (location !== undefined) {
      url = new URL(location, url).href;
      if (url.startsWith(app) && !new URL(url).pathname.endsWith('/callback')) break; // landed
      answer = await go(url);
    } else if (url.includes('/sign-in/') && answer.status === 200)
      answer = await go(url, `person=${personId}`);
    else break;
    if (url.startsWith(app)) break;
  }
  return browserOf(app, jarOf(app), url.startsWith(app) ? answer.status : undefined);
}

function browserOf(
  app: string,
  jar: CookieJar,
  callbackStatus: number | undefined,
): SignedInBrowser {
  return {
    callbackStatus,
    get: async (path) =>
      (
        await request(app, {
          path,
          headers: {
            ...browser,
            'Sec-Fetch-Mode': 'navigate',
            'Sec-Fetch-Dest': 'document',
            ...(jar.header !== '' && { Cookie: jar.header }),
          },
        })
      ).status,
  };
}
