import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from '../../common/call.js';
import type { Caller } from '../../common/caller.js';
import type { Directory } from '../kernel/directory.js';
import {
  isEventual,
  parseQueryOptions,
  type QueryOptions,
  withDeclaredNames,
} from '../odata/index.js';
import type { Body } from '../store/objects.js';
import { badRequest, noContent, type Reply } from './answers.js';
import type { PathKey } from './path.js';

/** The query option with the start of a list's next page. */
export type PageStart = { readonly $skiptoken: string } | { readonly $skip: string };

/** A request to an operation of the directory. */
export class DirectoryRequest {
  readonly directory: Directory;
  readonly caller: Caller;
  readonly method: string;
  /** The address of the service with its version, with which links start: `https://host/v1.0`. */
  readonly base: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as received. */
  readonly bytes: Buffer;
  #options: QueryOptions | undefined;

  constructor(
    private readonly call: Call<Directory>,
    /** The path's values of the parameters in the pattern (`{id}`), by name. */
    private readonly parameters: ReadonlyMap<string, PathKey>,
    /** Whether the path began with `/me`. */
    readonly isMePath: boolean,
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

  /**
   * The `@odata.nextLink` of a list whose next page has this start; nothing after the last page.
   */
  nextLink(start: PageStart | undefined): { readonly '@odata.nextLink'?: string } {
    return start === undefined ? {} : { '@odata.nextLink': this.call.linkWith(start) };
  }

  /**
   * Adds `@odata.context` to the body of an answer.
   *
   * @param fragment what follows `$metadata#`: `groups/$entity`.
   */
  withContext(fragment: string, body: Body = {}): Body {
    return { '@odata.context': `${this.base}/$metadata#${fragment}`, ...body };
  }

  /** A path parameter that must be a plain word or id. */
  parameter(name: string): string {
    const value = this.parameters.get(name);
    if (typeof value === 'string') return value;
    throw badRequest(`The key property of '${name}' is not known.`);
  }

  /**
   * A path parameter that may be an alternate key; empty text if the path has no such parameter.
   */
  key(name: string): PathKey {
    return this.parameters.get(name) ?? '';
  }

  /** The type in a cast (`microsoft.graph.user`: `user`), if the path has one. */
  cast(): string | undefined {
    const value = this.parameters.get('cast');
    return typeof value === 'string' ? value : undefined;
  }

  /** The value of a header; several values are joined by commas. */
  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Whether `ConsistencyLevel: eventual` was sent. */
  get isEventual(): boolean {
    return isEventual(this.headers['consistencylevel']);
  }

  /**
   * A preference of the `Prefer` header, such as `return`; `true` for one without a value.
   */
  preference(name: string): string | undefined {
    for (const part of (this.header('prefer') ?? '').split(',')) {
      const [key = '', value = 'true'] = part.split('=').map((text) => text.trim());
      if (key.toLowerCase() === name) return value.replace(/^"|"$/g, '').toLowerCase();
    }
    return undefined;
  }

  /**
   * Whether a PATCH creates the object of its path if there is none, by the alternate key there:
   * `Prefer: create-if-missing`.
   */
  get createsIfMissing(): boolean {
    return this.preference('create-if-missing') !== undefined;
  }

  /**
   * The OData options, parsed once. The azure dialect takes names of properties in any letter case,
   * as the cloud does (`$select=Id,DisplayName`).
   */
  get options(): QueryOptions {
    this.#options ??= this.#parseOptions();
    return this.#options;
  }

  #parseOptions(): QueryOptions {
    const options = parseQueryOptions(this.call.query);
    const { dialect, types } = this.directory;
    return dialect === 'azure'
      ? withDeclaredNames(options, (name) => types.declaredName(name))
      : options;
  }

  /** The query as plain parameters, for operations with their own options (`startDateTime`). */
  get query(): URLSearchParams {
    return this.call.query;
  }

  /** The body as a JSON object, including annotations (`@odata.…`). */
  json(): Body {
    return this.call.json();
  }

  /** Runs a change in one transaction. @returns its reply, or 204 if it returns none. */
  async runInTransaction(change: () => Promise<Reply | void>): Promise<Reply> {
    return (await this.directory.sql.transaction(change)) ?? noContent;
  }

  /** The body as a JSON object; empty if none was sent. */
  optionalJson(): Body {
    return this.call.optionalJson();
  }
}

/** The path after the version, and the query, as sent: `/groups?$top=5`. */
export function requestTarget({ received: { url, prefix } }: Call<Directory>): string {
  return url.slice(
    (url.startsWith(prefix) ? 0 : url.toLowerCase().indexOf(prefix)) + prefix.length,
  );
}
