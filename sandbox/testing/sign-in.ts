import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { type BrowserFetch, openBrowser } from './browser.js';

/** How long a sign-in waits for an app that is starting. */
const appStartTimeoutMs = 30_000;

/** Who signs in where. */
export interface SignInRequest {
  /** The address of the sandbox. */
  readonly origin: string;
  /** The certificate of its authority, in PEM. */
  readonly ca: string;
  /** The user principal name. */
  readonly person: string;
  /** The name of the app. */
  readonly app: string;
  /** The address of the app. */
  readonly url: string;
}

/**
 * Opens a browser in which a person has signed in to an app. While the app starts, as after a change
 * of faults, the sandbox answers 503 in its place: the sign-in is then tried again for 30 seconds.
 *
 * @throws CAS4022 for a person whom the app refuses, and where the sign-in doesn't come to its end
 */
export async function openSignedInBrowser(request: SignInRequest): Promise<BrowserFetch> {
  const { origin, ca, person, app, url } = request;
  const browse = openBrowser(ca);
  const link = `${origin}/sign-in-as/${encodeURIComponent(person)}?to=${encodeURIComponent(url)}`;
  const deadline = Date.now() + appStartTimeoutMs;
  for (;;) {
    const start = await browse(link, { redirect: 'manual' });
    // the app's own sign-in route, which says below which path its sign-in layer answers
    const route = start.headers.get('location');
    if (route !== null) await start.body?.cancel();
    const answer = route === null ? start : await browse(route);
    await answer.body?.cancel();
    const isInSignIn = route !== null && answer.url.startsWith(new URL('..', route).href);
    if (
      answer.status === 503 &&
      isInSignIn &&
      answer.headers.has('retry-after') &&
      Date.now() < deadline
    ) {
      await wait(250);
      continue;
    }
    // The app itself may answer with any status, but the sign-in must have ended.
    const isLanded = answer.url.startsWith(url) && !isInSignIn;
    if (answer.status === 401 || answer.status === 403 || (!isLanded && !answer.ok))
      throw new CastellanError(
        'CAS4022',
        `${person} cannot sign in to ${app}: ${answer.url} answered ${String(answer.status)}`,
      );
    return (path, init) => browse(new URL(path, url), init);
  }
}
