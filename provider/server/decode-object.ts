import type { DynamicValueMessage } from '../protocol/messages.js';
import { typeOfBody } from '../schemas/build.js';
import type { Body } from '../schemas/schema.js';
import { decodeMessagePack } from '../values/message-pack.js';
import type { ValueMap } from '../values/value.js';
import { isMap } from '../values/value.js';

/** Reads an object of a message; undefined where it is null. */
export function decodeObject(message: DynamicValueMessage | undefined | null, body: Body): ValueMap | undefined {
  if (message?.msgpack === undefined || message.msgpack.length === 0) return undefined;
  const value = decodeMessagePack(message.msgpack, typeOfBody(body));
  return isMap(value) ? value : undefined;
}
