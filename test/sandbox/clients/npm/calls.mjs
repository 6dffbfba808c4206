// Shared by the programs of this folder, each of which runs calls of one client of npm in a sandbox.
// The environment variable SANDBOX describes the sandbox in JSON.
import { readFileSync } from 'node:fs';

/** Addresses, ids and secrets of the sandbox. */
export const sandbox = JSON.parse(process.env.SANDBOX);

/** Runs the calls of a client one after the other, and prints a line of JSON for each. */
export async function runCalls(client, calls) {
  const { version } = JSON.parse(readFileSync(`node_modules/${client}/package.json`, 'utf8'));
  for (const [call, makeCall] of Object.entries(calls)) {
    let error;
    try {
      await makeCall();
    } catch (thrown) {
      error = String(thrown?.stack ?? thrown);
    }
    console.log(JSON.stringify({ client, version, call, error }));
  }
}

/** The items of an asynchronous iterable. */
export async function collect(list) {
  const items = [];
  for await (const item of list) items.push(item);
  return items;
}

/**
 * Signs a person in like a browser: follows the redirects from an authorization request.
 *
 * @returns the redirect URI of the application, with the answer in its query
 */
export async function signIn(authorizationUrl, personId = sandbox.person.id) {
  const cookies = new Map([['castellan-person', personId]]);
  let next = new URL(authorizationUrl);
  for (let redirects = 0; redirects < 10; redirects++) {
    if (next.href.startsWith(sandbox.app.redirectUri)) return next;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${next} answered ${answer.status} without a redirect`);
    next = new URL(location, next);
  }
  throw new Error(`${authorizationUrl} redirects for ever`);
}
