import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../common/caller.js';
import type { ItemsRuntime } from '../runtime.js';

/** One authenticated request. */
export interface Call {
  readonly runtime: ItemsRuntime;
  readonly caller: Caller;
  readonly requestId: string;
  /** The service as the caller reached it, such as `https://localhost:8443`: next links and operation addresses begin so. */
  readonly origin: string;
  /** The path of the request without its query. */
  readonly path: string;
  /** Path parameters; ids in lower case. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a handler answers with. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers one operation. */
export type Handler = (call: Call) => Promise<Answer>;

/** 200 with a body. */
export function ok(body?: unknown): Answer {
  return { status: 200, ...(body === undefined ? {} : { body }) };
}

/** 201 with the new resource. @param location its address, for what has one */
export function created(body: unknown, location?: string): Answer {
  return { status: 201, body, ...(location === undefined ? {} : { headers: { location } }) };
}
