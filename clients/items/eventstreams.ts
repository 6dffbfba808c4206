import { segment } from '../common/url.js';
import type { Eventstream } from './item.js';
import { itemFamily, type ItemFamily } from './items.js';
import type { CallOptions, ItemsConnection } from './connection.js';

/** A node of a running eventstream: a source, destination, stream or operator with its state. */
export interface TopologyNode {
  readonly id: string;
  readonly name: string;
  /** The kind of source, destination, stream or operator, such as `CustomEndpoint`. */
  readonly type: string;
  /** `Running` or `Paused`, for example; only sources and destinations have one. */
  readonly status?: string;
  /** Its settings, which depend on the type. */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** The nodes whose events it takes. */
  readonly inputNodes?: readonly { readonly name: string }[];
}

/** The topology of an eventstream. */
export interface EventstreamTopology {
  readonly sources: readonly TopologyNode[];
  readonly destinations: readonly TopologyNode[];
  readonly streams: readonly TopologyNode[];
  readonly operators: readonly TopologyNode[];
  /** The version of the definition, such as `1.0`. */
  readonly compatibilityLevel: string;
}

/** The body of a request to resume: the point from which the eventstream reads. */
export type ResumeRequest =
  | { readonly startType: 'Now' | 'WhenLastStopped' }
  | {
      readonly startType: 'CustomTime';
      /** ISO 8601, UTC. */
      readonly customStartDateTime: string;
    };

/** Eventstreams, with the operations that only they have. */
export interface Eventstreams extends ItemFamily<Eventstream> {
  topology(
    workspaceId: string,
    eventstreamId: string,
    call?: CallOptions,
  ): Promise<EventstreamTopology>;
  pause(workspaceId: string, eventstreamId: string, call?: CallOptions): Promise<void>;
  resume(
    workspaceId: string,
    eventstreamId: string,
    start: ResumeRequest,
    call?: CallOptions,
  ): Promise<void>;
}

/** The eventstream endpoints. */
export function eventstreams(connection: ItemsConnection): Eventstreams {
  const { send } = connection;
  const path = (workspaceId: string, id: string, action: string): string =>
    `/v1/workspaces/${segment(workspaceId)}/eventstreams/${segment(id)}/${action}`;
  return {
    ...itemFamily<Eventstream>(connection, 'eventstreams'),
    topology: (workspaceId, id, call) => send('GET', path(workspaceId, id, 'topology'), call),
    pause: (workspaceId, id, call) => send('POST', path(workspaceId, id, 'pause'), call),
    resume: (workspaceId, id, start, call) =>
      send('POST', path(workspaceId, id, 'resume'), call, { body: start }),
  };
}
