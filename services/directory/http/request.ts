import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from '../../common/call.js';
import type { Caller } from '../../common/caller.js';
import type { Directory } from '../kernel/directory.js';
import { isEventual, parseQueryOptions, type QueryOptions } from '../odata/index.js';
import type { Body } from '../store/objects.js';
import { badRequest, noContent, type Reply } from './answers.js';
import type { PathKey } from './path.js';

/** Where a page of a list starts. */
export type PageStart = { readonly $skiptoken: string } | { readonly $skip: string };

/** A request as operations see it. */
export class DirectoryRequest {
  readonly directory: Directory;
  readonly caller: Caller;
  readonly method: string;
  /** `https://host/v1.0`: the start of links and contexts. */
  readonly base: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  #options: QueryOptions | undefined;

  constructor(
    private readonly call: Call<Directory>,
    /** The values of the pattern's `{…}`. */
    private readonly parameters: ReadonlyMap<string, PathKey>,
    /** Whether the path began with `/me`. */
    readonly me: boolean,
  ) {
    this.directory = call.runtime;
    this.caller = call.caller;
    this.method = call.method;
    this.base = call.origin + call.received.prefix;
    this.headers = call.headers;
    this.bytes = call.body;
  }

  /** The tenant of the caller's token; the directory's own for a caller without a token. */
  get tenantId(): string {
    return this.caller.tenantId === '' ? this.directory.tenant.id : this.caller.tenantId;
  }

  /** The member that links to the next page of a list, by where it starts; none after the last. */
  nextLink(start: PageStart | undefined): { readonly '@odata.nextLink'?: string } {
    return start === undefined ? {} : { '@odata.nextLink': this.call.linkWith(start) };
  }

  /** An answer with its `@odata.context`: `$metadata#groups/$entity`. */
  context(fragment: string, body: Body = {}): Body {
    return { '@odata.context': `${this.base}/$metadata#${fragment}`, ...body };
  }

  /** A path parameter that must be a plain word or id. */
  parameter(name: string): string {
    const value = this.parameters.get(name);
    if (typeof value === 'string') return value;
    throw badRequest(`The key property of '${name}' is not known.`);
  }

  /** A path parameter that may be an alternate key. */
  key(name: string): PathKey {
    return this.parameters.get(name) ?? '';
  }

  /** The type in a cast (`microsoft.graph.user`: `user`), if the path has one. */
  cast(): string | undefined {
    const value = this.parameters.get('cast');
    return typeof value === 'string' ? value : undefined;
  }

  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Whether `ConsistencyLevel: eventual` was sent. */
  get eventual(): boolean {
    return isEventual(this.headers['consistencylevel']);
  }

  /**
   * A preference of the `Prefer` header, such as `return` or `create-if-missing`; `true` for one
   * without a value.
   */
  preference(name: string): string | undefined {
    for (const part of (this.header('prefer') ?? '').split(',')) {
      const [key = '', value = 'true'] = part.split('=').map((text) => text.trim());
      if (key.toLowerCase() === name) return value.replace(/^"|"$/g, '').toLowerCase();
    }
    return undefined;
  }

  /** The OData options, parsed once. */
  get options(): QueryOptions {
    this.#options ??= parseQueryOptions(this.call.query);
    return this.#options;
  }

  /** The query as plain parameters, for operations with their own options (`startDateTime`). */
  get query(): URLSearchParams {
    return this.call.query;
  }

  /** The body as a JSON object, including annotations (`@odata.…`). */
  json(): Body {
    return this.call.json();
  }

  /** Runs a change in one transaction. @returns its answer, or 204 */
  async write(change: () => Promise<Reply | void>): Promise<Reply> {
    return (await this.directory.sql.write(change)) ?? noContent;
  }

  /** The body as a JSON object; empty if none was sent. */
  optionalJson(): Body {
    return this.call.optionalJson();
  }
}

/** Path and query of a call as sent, after the version. */
export function targetOf({ received: { url, prefix } }: Call<Directory>): string {
  return url.slice(
    (url.startsWith(prefix) ? 0 : url.toLowerCase().indexOf(prefix)) + prefix.length,
  );
}
