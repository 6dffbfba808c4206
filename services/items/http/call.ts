import type { Call as ChassisCall, Operation } from '../../common/call.js';
import type { ItemsRuntime } from '../runtime.js';

export { type Answer, created, ok } from '../../common/call.js';

/** One authenticated request of the items service; ids in its path are in lower case. */
export type Call = ChassisCall<ItemsRuntime>;

/** An operation of the items service, below `/v1`. */
export type Route = Operation<ItemsRuntime>;
