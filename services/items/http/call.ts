import type { Answer, Call as ChassisCall, Operation } from '../../common/call.js';
import type { ItemsRuntime } from '../runtime.js';

export type { Answer } from '../../common/call.js';

/** One authenticated request of the items service; ids in its path are in lower case. */
export type Call = ChassisCall<ItemsRuntime>;

/** An operation of the items service, below `/v1`. */
export type Route = Operation<ItemsRuntime>;

/** 200 with a body. */
export function ok(body?: unknown): Answer {
  return { status: 200, ...(body === undefined ? {} : { body }) };
}

/** 201 with the new resource. @param location its address, for what has one */
export function created(body: unknown, location?: string): Answer {
  return { status: 201, body, ...(location === undefined ? {} : { headers: { location } }) };
}
