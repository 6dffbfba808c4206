// What the programs of this folder share. Each runs the calls of one client, in a sandbox that the
// variable SANDBOX describes.
import { readFileSync } from 'node:fs';

/** Addresses, ids and secrets of the sandbox. */
export const sandbox = JSON.parse(process.env.SANDBOX);

/** Runs the calls of a client one after the other, and prints a line of JSON for each. */
export async function run(client, calls) {
  const { version } = JSON.parse(readFileSync(`node_modules/${client}/package.json`, 'utf8'));
  for (const [call, make] of Object.entries(calls)) {
    let error;
    try {
      await make();
    } catch (thrown) {
      error = String(thrown?.stack ?? thrown);
    }
    console.log(JSON.stringify({ client, version, call, error }));
  }
}

/** The items of an asynchronous list. */
export async function all(list) {
  const items = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Signs a person in in the place of a browser. @returns the address that it was sent back to */
export async function signIn(address, person = sandbox.person.id) {
  const cookies = new Map([['castellan-person', person]]);
  let next = new URL(address);
  for (let step = 0; step < 10; step++) {
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
  throw new Error(`${address} redirects for ever`);
}
