import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api, ResourceHandler } from '../../../provider/handlers/handler.js';
import type { ActualValues } from '../../../provider/planner/new-state.js';
import { listen } from '../../../provider/protocol/listener.js';
import {
  block,
  computed,
  nested,
  optional,
  optionalComputed,
  required,
  timeoutsBlock,
} from '../../../provider/schemas/schema-builders.js';
import { between, notEmpty, oneOf } from '../../../provider/schemas/checks.js';
import type { ResourceSchema, ProviderSdk } from '../../../provider/schemas/schema.js';
import { isSameLocation } from '../../../provider/schemas/spelling.js';
import { ProviderServer } from '../../../provider/server/provider-server.js';
import { reattachValue } from '../../../provider/index.js';
import type { ValueMap } from '../../../provider/values/value.js';

/** A resource type with one of everything that schemas can say. */
export const thing: ResourceSchema = {
  version: 2,
  attributes: {
    id: computed('string'),
    name: required('string', { checks: [notEmpty] }),
    place: optional('string', { isEquivalent: isSameLocation }),
    kind: required('string', { forceNew: true, checks: [oneOf('small', 'large')] }),
    size: optional('number', { default: 10, checks: [between(1, 1_000_000)] }),
    ratio: optional('number'),
    enabled: optional('bool', { default: true }),
    note: optional('string', { conflictsWith: ['notes'] }),
    notes: optional(['list', 'string']),
    etag: computed('string', { volatile: true }),
    address: optionalComputed('string'),
    owners: optionalComputed(['set', 'string'], { max: 3 }),
    tags: optional(['map', 'string']),
    body: optional('dynamic'),
    secret: optional('string', { sensitive: true, checks: [notEmpty] }),
    token: optional('string', { writeOnly: true }),
    left: optional('string', { exactlyOneOf: ['left', 'right'] }),
    right: optional('string', { exactlyOneOf: ['left', 'right'] }),
    old: optional('string', { deprecated: 'Use note.' }),
    settings: nested('optional', 'single', {
      mode: required('string', { forceNew: true }),
      level: optional('number', { default: 1 }),
    }),
    parts: nested('optional', 'map', {
      source: required('string'),
      hash: computed('string', { volatile: true }),
    }),
    rules: nested('optional', 'set', {
      find: required('string'),
      put: optional('string', { default: 'x' }),
    }),
  },
  blocks: {
    port: block(
      'list',
      {
        number: required('number', { checks: [between(1, 65535)] }),
        label: optional('string'),
        url: computed('string', { volatile: true }),
      },
      { max: 2 },
    ),
    grant: block('set', {
      who: required('string'),
      role: optional('string', { default: 'reader' }),
      since: computed('string'),
    }),
    timeouts: timeoutsBlock(),
  },
};

/** What the service of the test keeps, by id; tests change it to make drift. */
export type Store = Map<string, Record<string, unknown>>;

function handler(store: Store): ResourceHandler {
  const withComputedValues = (values: ValueMap, id: string): ActualValues => ({
    ...values,
    id,
    etag: randomUUID(),
    address:
      values['address'] === null || typeof values['address'] === 'object'
        ? `at-${id}`
        : values['address'],
    owners: Array.isArray(values['owners']) ? values['owners'] : ['caller'],
    parts: fill(values['parts'], (part) => ({
      ...part,
      hash: `hash of ${String(part['source'])}`,
    })),
    port: list(values['port']).map((each) => ({
      ...each,
      url: `https://${String(each['number'])}`,
    })),
    grant: list(values['grant']).map((each) => ({ ...each, since: 'today' })),
  });
  return {
    create({ planned }) {
      const id = randomUUID();
      const created = withComputedValues(planned, id);
      store.set(id, { ...created });
      return Promise.resolve(created);
    },
    read: ({ state }) =>
      Promise.resolve(store.get(String(state['id'])) as ActualValues | undefined),
    update({ planned, prior }) {
      const created = withComputedValues(planned, String(prior['id']));
      store.set(String(prior['id']), { ...created });
      return Promise.resolve(created);
    },
    delete({ state }) {
      store.delete(String(state['id']));
      return Promise.resolve();
    },
    import: (id) => ({ id }),
    upgrade: (version, state) => (version < 2 ? { ...state, name: state['title'] } : state),
  };
}

function list(value: unknown): ValueMap[] {
  return Array.isArray(value) ? (value as ValueMap[]) : [];
}

function fill(value: unknown, change: (part: ValueMap) => ValueMap): ValueMap | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, change(part as ValueMap)]),
  );
}

/** The test's provider on a socket, and the environment that lets terraform find it. */
export async function startMemoryProvider(
  sdk: ProviderSdk,
): Promise<{ env: Record<string, string>; store: Store; close(): Promise<void> }> {
  const store: Store = new Map();
  const address = 'registry.terraform.io/test/memory';
  const server = new ProviderServer({
    schema: {
      address,
      sdk,
      config: { attributes: {} },
      resources: { memory_thing: thing },
      dataSources: {},
    },
    resources: { memory_thing: handler(store) },
    dataSources: {},
    connect: () => ({}) as Api,
  });
  const folder = await mkdtemp(join(tmpdir(), 'cas-sock-'));
  const socketPath = join(folder, 's');
  const listening = await listen(server, { socketPath });
  return {
    env: { TF_REATTACH_PROVIDERS: reattachValue([{ address, socketPath, pid: process.pid }]) },
    store,
    async close() {
      await listening.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A configuration with these resources of the test's provider. */
export function memoryConfig(
  things: Readonly<Record<string, object>>,
  otherSections: object = {},
): object {
  return {
    terraform: { required_providers: { memory: { source: 'test/memory' } } },
    resource: { memory_thing: things },
    ...otherSections,
  };
}
