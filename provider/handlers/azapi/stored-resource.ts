import type { Json } from '../../values/json.js';
import type { ValueMap } from '../../values/value.js';
import type { Context } from '../handler.js';
import { textOrEmpty } from '../read-values.js';
import { callOptions } from './request-parts.js';
import { splitType } from './resource-address.js';
import { retryingResources } from './retry.js';

/** Reads the resource of a state; undefined if it is gone. */
export function findStateResource(
  call: Context & { readonly state: ValueMap },
): Promise<Json | undefined> {
  const { state, signal } = call;
  const { apiVersion } = splitType(textOrEmpty(state, 'type'));
  return retryingResources(call, state).find<Json>(
    textOrEmpty(state, 'id'),
    apiVersion,
    callOptions(state, 'read', signal),
  );
}

/** The tags of a resource as a map of texts. */
export function tagTexts(tags: { readonly [name: string]: Json }): ValueMap {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]));
}
