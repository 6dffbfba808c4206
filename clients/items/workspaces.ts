import { outcomeOf } from '../common/long-running.js';
import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import type { UpdateItem } from './item.js';
import { signalOf } from './options.js';
import type { CallOptions, ItemsConnection } from './options.js';
import type { Capacity, CreateWorkspace, Tag, Workspace } from './workspace.js';

/** Workspaces, and what they run on. */
export interface Workspaces {
  create(workspace: CreateWorkspace, call?: CallOptions): Promise<Workspace>;
  get(workspaceId: string, call?: CallOptions): Promise<Workspace>;
  list(call?: CallOptions): AsyncIterable<Workspace>;
  update(workspaceId: string, change: UpdateItem, call?: CallOptions): Promise<Workspace>;
  delete(workspaceId: string, call?: CallOptions): Promise<void>;
  assignToCapacity(workspaceId: string, capacityId: string, call?: CallOptions): Promise<void>;
  unassignFromCapacity(workspaceId: string, call?: CallOptions): Promise<void>;
  /** Gives the workspace an identity of its own. */
  provisionIdentity(workspaceId: string, call?: CallOptions): Promise<void>;
  deprovisionIdentity(workspaceId: string, call?: CallOptions): Promise<void>;
}

/** The workspace endpoints. */
export function workspaces({ http, waitOptions }: ItemsConnection): Workspaces {
  const path = (workspaceId: string, verb = ''): string => `/v1/workspaces/${segment(workspaceId)}${verb}`;
  // Assignments answer 202 without an address: accepted is all there is to know; identities may be waited for.
  const post = async (workspaceId: string, verb: string, body: unknown, call?: CallOptions): Promise<void> => {
    const answer = await http.request({ method: 'POST', path: path(workspaceId, verb), body, ...signalOf(call) });
    await outcomeOf(http, answer, waitOptions(call));
  };
  return {
    async create(workspace, call) {
      const answer = await http.request<Workspace>({
        method: 'POST',
        path: '/v1/workspaces',
        body: workspace,
        expect: [201],
        ...signalOf(call),
      });
      return answer.body;
    },
    async get(workspaceId, call) {
      return (await http.request<Workspace>({ method: 'GET', path: path(workspaceId), ...signalOf(call) })).body;
    },
    list: (call) => entriesOf<Workspace>(http, { path: '/v1/workspaces', ...signalOf(call) }),
    async update(workspaceId, change, call) {
      return (await http.request<Workspace>({ method: 'PATCH', path: path(workspaceId), body: change, ...signalOf(call) })).body;
    },
    async delete(workspaceId, call) {
      await http.request({ method: 'DELETE', path: path(workspaceId), ...signalOf(call) });
    },
    assignToCapacity: (workspaceId, capacityId, call) => post(workspaceId, '/assignToCapacity', { capacityId }, call),
    unassignFromCapacity: (workspaceId, call) => post(workspaceId, '/unassignFromCapacity', undefined, call),
    provisionIdentity: (workspaceId, call) => post(workspaceId, '/provisionIdentity', undefined, call),
    deprovisionIdentity: (workspaceId, call) => post(workspaceId, '/deprovisionIdentity', undefined, call),
  };
}

/** Listings that stand beside workspaces. */
export interface Catalogues {
  capacities(call?: CallOptions): AsyncIterable<Capacity>;
  tags(call?: CallOptions): AsyncIterable<Tag>;
}

/** The capacities and tags that the caller may use. */
export function catalogues({ http }: ItemsConnection): Catalogues {
  return {
    capacities: (call) => entriesOf<Capacity>(http, { path: '/v1/capacities', ...signalOf(call) }),
    tags: (call) => entriesOf<Tag>(http, { path: '/v1/tags', ...signalOf(call) }),
  };
}
