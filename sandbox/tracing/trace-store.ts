import { createHash } from 'node:crypto';
import { nonEmptyText, type StoredSpan } from './stored-span.js';
import { splitQuery } from '../../core/text/split-query.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** The spans of one request, and of the requests that belong to the same sign-in. */
export interface Trace {
  /** The trace id of the one request; other spans have those of their requests. */
  readonly id: string;
  readonly spans: readonly StoredSpan[];
}

/** A trace in a list. */
export interface TraceSummary {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** How long the request took. */
  readonly milliseconds: number;
  /** Method and path: `GET /admin`. */
  readonly name: string;
  /** The part of the sandbox that was asked, such as `ingress`. */
  readonly part: string;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** The id by which the pages of sign-in layers name the request. */
  readonly requestId?: string;
  /** The app that was requested. */
  readonly app?: string;
  /** The object id of the person whom the sign-in layer decided about. */
  readonly personId?: string;
}

/** How many spans are kept. */
const maxSpans = 4_000;
/** The attribute with the id by which a sign-in layer's pages name a request. */
export const requestIdAttribute = 'castellan.request_id';
/** The attribute with the object id of the person whom a sign-in layer decided about. */
export const personIdAttribute = 'castellan.person_id';

/** The attribute of the ingress with the requested app. */
const appAttribute = 'server.address';

/** The latest spans of a sandbox. */
export class TraceStore {
  #spans: StoredSpan[] = [];
  /** By trace: the keys that its request has in common with others of the same sign-in. */
  readonly #links = new Map<string, ReadonlySet<string>>();
  readonly #listeners = new Set<() => void>();

  add(spans: readonly StoredSpan[]): void {
    this.#spans.push(...spans);
    if (this.#spans.length > maxSpans) {
      this.#spans = this.#spans.slice(-maxSpans);
      const keptTraceIds = new Set(this.#spans.map(({ traceId }) => traceId));
      for (const id of this.#links.keys()) if (!keptTraceIds.has(id)) this.#links.delete(id);
    }
    for (const listener of this.#listeners) listener();
  }

  /**
   * Remembers the addresses of a request and of its redirect: requests of one sign-in have its
   * `state` or its page in common. Values are kept as hashes.
   */
  linkToSignIn(traceId: string, addresses: readonly (string | undefined)[]): void {
    const keys = addresses.flatMap((address) => (address === undefined ? [] : signInKeys(address)));
    if (keys.length > 0) this.#links.set(traceId, new Set(keys));
  }

  /** Calls back after each addition. @returns a function that stops it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The requests that reached the sandbox, the latest first. */
  list(): readonly TraceSummary[] {
    const requestIds = this.#valuesOf(requestIdAttribute);
    const people = this.#valuesOf(personIdAttribute);
    return this.#spans
      .filter(({ parentId }) => parentId === undefined)
      .map(({ traceId, start, end, name, part, attributes }): TraceSummary => {
        const status = attributes['http.response.status_code'];
        return {
          id: traceId,
          start,
          milliseconds: end - start,
          name,
          part,
          ...(typeof status === 'number' && { status }),
          ...omitUndefined({
            app: nonEmptyText(attributes[appAttribute]),
            requestId: requestIds.get(traceId),
            personId: people.get(traceId),
          }),
        };
      })
      .toReversed();
  }

  /** A trace by its id or by that of its request, with the spans of the same sign-in. */
  find(id: string): Trace | undefined {
    const traceIdOfMatch = this.#spans.find(
      ({ traceId, attributes }) => traceId === id || attributes[requestIdAttribute] === id,
    )?.traceId;
    if (traceIdOfMatch === undefined) return undefined;
    const relatedIds = this.#tracesOfSignIn(traceIdOfMatch);
    const spans = this.#spans.filter(({ traceId }) => relatedIds.has(traceId));
    return { id: traceIdOfMatch, spans: spans.toSorted((a, b) => a.start - b.start) };
  }

  /**
   * An attribute of a request, as soon as a span has it: sign-in layers send their spans after their
   * answer. Undefined if none has arrived in time.
   */
  async waitForAttribute(
    requestId: string,
    name: string,
    timeoutMs: number,
  ): Promise<string | undefined> {
    const find = (): StoredSpan | undefined =>
      this.#spans.findLast(({ attributes }) => attributes[requestIdAttribute] === requestId);
    const span =
      find() ??
      (await new Promise<StoredSpan | undefined>((done) => {
        const finish = (found: StoredSpan | undefined): void => {
          clearTimeout(timer);
          unsubscribe();
          done(found);
        };
        const timer = setTimeout(() => finish(undefined), timeoutMs);
        const unsubscribe = this.subscribe(() => {
          const found = find();
          if (found !== undefined) finish(found);
        });
      }));
    const value = span?.attributes[name];
    return value === undefined ? undefined : String(value);
  }

  /** The values of an attribute, by trace. */
  #valuesOf(name: string): ReadonlyMap<string, string> {
    return new Map(
      this.#spans.flatMap(({ traceId, attributes: { [name]: value } }) =>
        value === undefined ? [] : [[traceId, String(value)] as const],
      ),
    );
  }

  /** The ids of a trace and of those that share a key with it, directly or through others. */
  #tracesOfSignIn(id: string): ReadonlySet<string> {
    const ids = new Set([id]);
    const keys = new Set(this.#links.get(id));
    let hasGrown = true;
    while (hasGrown) {
      hasGrown = false;
      for (const [other, otherKeys] of this.#links) {
        if (ids.has(other) || ![...otherKeys].some((key) => keys.has(key))) continue;
        ids.add(other);
        for (const key of otherKeys) keys.add(key);
        hasGrown = true;
      }
    }
    return ids;
  }
}

/** Hashes of what identifies a sign-in in an address: its `state`, and the id of its page. */
function signInKeys(address: string): readonly string[] {
  const [path, query = ''] = splitQuery(address);
  const state = new URLSearchParams(query).get('state');
  const [, page] = /\/sign-in\/([\w-]+)$|\/authorize\/([\w-]+)$/.exec(path)?.filter(Boolean) ?? [];
  return [state ?? undefined, page].flatMap((key) =>
    key === undefined || key === ''
      ? []
      : [createHash('sha256').update(key).digest('base64url').slice(0, 22)],
  );
}
