/** A recording in HAR 1.2, the HTTP Archive format (http://www.softwareishard.com/blog/har-12-spec). */
export interface Har {
  readonly log: {
    readonly version: string;
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
}

/** A request with its response. */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** In milliseconds. */
  readonly time: number;
  readonly request: {
    readonly method: string;
    /** Absolute. */
    readonly url: string;
    readonly httpVersion: string;
    /** Empty: cookies are secrets. */
    readonly cookies: readonly never[];
    readonly headers: readonly HarPair[];
    readonly queryString: readonly HarPair[];
    readonly postData?: HarBody;
    /** In bytes; -1 if it is not known. */
    readonly headersSize: number;
    /** In bytes, as it was sent; -1 if it is not known. */
    readonly bodySize: number;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    /** Empty: cookies are secrets. */
    readonly cookies: readonly never[];
    readonly headers: readonly HarPair[];
    /** With the size in bytes; a text may have an encoding, `base64` for bytes. */
    readonly content: HarBody & { readonly size: number; readonly encoding?: string };
    /** The header `location`; empty without one. */
    readonly redirectURL: string;
    /** In bytes; -1 if it is not known. */
    readonly headersSize: number;
    /** In bytes. */
    readonly bodySize: number;
  };
  readonly cache: object;
  /** In milliseconds; the whole time is recorded as `wait`. */
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
}

/** A header or a query parameter. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** The body of a request or response. */
export interface HarBody {
  readonly mimeType: string;
  /** Absent where it is not recorded; the comment says why. */
  readonly text?: string;
  readonly comment?: string;
}
