import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Har, HarEntry } from './har.js';

/** A request to answer from a recording. */
export interface ReplayRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** JSON as it is recorded, with masked secrets; undefined without a body. */
  readonly body?: string;
}

/**
 * The calls of a recording. Equal requests get the recorded answers in their order, and the last one
 * again when there are no more.
 */
export class RecordedCalls {
  readonly #calls = new Map<string, { readonly entry: HarEntry; isUsed: boolean }[]>();

  /**
   * @param text of a HAR file, of any program.
   * @param file its name in messages.
   * @throws CAS4024
   */
  constructor(text: string, file: string) {
    for (const entry of entriesOf(text, file)) {
      const { method, url } = entry.request;
      const key = requestKey(method, url);
      this.#calls.set(key, [...(this.#calls.get(key) ?? []), { entry, isUsed: false }]);
    }
  }

  /** The number of different requests. */
  get size(): number {
    return this.#calls.size;
  }

  /**
   * The next answer to a request: of those with the same body first, since ids and times in bodies
   * may differ in the next run.
   */
  next({ method, url, body }: ReplayRequest): HarEntry | undefined {
    const calls = this.#calls.get(requestKey(method, url)) ?? [];
    const hasSameBody = ({ entry }: { entry: HarEntry }): boolean =>
      (entry.request.postData?.text ?? '') === (body ?? '');
    const call =
      calls.find((each) => !each.isUsed && hasSameBody(each)) ??
      calls.find((each) => !each.isUsed) ??
      calls.findLast(hasSameBody) ??
      calls.at(-1);
    if (call !== undefined) call.isUsed = true;
    return call?.entry;
  }

  /** The recorded requests to the path of an address, for a message about one that was not recorded. */
  requestsOfPath(url: string): readonly string[] {
    const [path = ''] = url.split('?', 1);
    return [...this.#calls.keys()].filter((key) => key.split(/[ ?]/)[1] === path);
  }
}

/**
 * Method, path and query, with the parameters of the query sorted.
 *
 * @param url absolute, or path and query
 */
function requestKey(method: string, url: string): string {
  // appended, since `//name` relative to an origin would be another host
  const { pathname, searchParams } = new URL(url.startsWith('/') ? `https://localhost${url}` : url);
  searchParams.sort();
  const query = searchParams.toString();
  return `${method} ${pathname}${query === '' ? '' : `?${query}`}`;
}

function entriesOf(text: string, file: string): readonly HarEntry[] {
  let har: Partial<Har> | null;
  try {
    har = JSON.parse(text) as Partial<Har> | null;
  } catch (cause) {
    throw new CastellanError('CAS4024', `${file} is not JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  const entries: unknown = har?.log?.entries;
  if (!Array.isArray(entries)) throw new CastellanError('CAS4024', `${file} has no log.entries`);
  const wrongIndex = entries.findIndex((entry) => !isEntry(entry));
  if (wrongIndex >= 0)
    throw new CastellanError(
      'CAS4024',
      `log.entries[${wrongIndex}] of ${file} has no request.method, request.url and response.status`,
    );
  return entries as HarEntry[];
}

function isEntry(value: unknown): boolean {
  const { request, response } = (value ?? {}) as Partial<HarEntry>;
  return (
    typeof request?.method === 'string' &&
    typeof request.url === 'string' &&
    (request.url.startsWith('/') || URL.canParse(request.url)) &&
    typeof response?.status === 'number'
  );
}
