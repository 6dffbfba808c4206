import { segment } from '../common/url.js';
import type { Eventstream } from './item.js';
import { itemFamily, type ItemFamily } from './items.js';
import { type CallOptions, type ItemsConnection, signalOf } from './options.js';

/** A node of a running eventstream: a source, destination, stream or operator with its state. */
export interface TopologyNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly inputNodes?: readonly { readonly name: string }[];
}

/** What an eventstream runs. */
export interface EventstreamTopology {
  readonly sources: readonly TopologyNode[];
  readonly destinations: readonly TopologyNode[];
  readonly streams: readonly TopologyNode[];
  readonly operators: readonly TopologyNode[];
  readonly compatibilityLevel: string;
}

/** From where a resumed eventstream reads. */
export type ResumeStart =
  { readonly startType: 'Now' | 'WhenLastStopped' } | { readonly startType: 'CustomTime'; readonly customStartDateTime: string };

/** Eventstreams, with what only they can do. */
export interface Eventstreams extends ItemFamily<Eventstream> {
  topology(workspaceId: string, eventstreamId: string, call?: CallOptions): Promise<EventstreamTopology>;
  pause(workspaceId: string, eventstreamId: string, call?: CallOptions): Promise<void>;
  resume(workspaceId: string, eventstreamId: string, start: ResumeStart, call?: CallOptions): Promise<void>;
}

/** The eventstream endpoints. */
export function eventstreams(connection: ItemsConnection): Eventstreams {
  const { http } = connection;
  const path = (workspaceId: string, id: string, word: string): string =>
    `/v1/workspaces/${segment(workspaceId)}/eventstreams/${segment(id)}/${word}`;
  return {
    ...itemFamily<Eventstream>(connection, 'eventstreams'),
    async topology(workspaceId, id, call) {
      return (await http.request<EventstreamTopology>({ method: 'GET', path: path(workspaceId, id, 'topology'), ...signalOf(call) })).body;
    },
    async pause(workspaceId, id, call) {
      await http.request({ method: 'POST', path: path(workspaceId, id, 'pause'), ...signalOf(call) });
    },
    async resume(workspaceId, id, start, call) {
      await http.request({ method: 'POST', path: path(workspaceId, id, 'resume'), body: start, ...signalOf(call) });
    },
  };
}
