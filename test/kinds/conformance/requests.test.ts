import type { TSchema } from '@sinclair/typebox';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { group } from '../../../kinds/group/group.js';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { registration } from '../../../kinds/registration/registration.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { isAcceptedByApiOnly } from '../../../kinds/schema/find-mistake.js';
import type { Kind } from '../../../kinds/schema/kind.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { TestDirectory, unifiedGroup } from '../../services/directory/support/directory.js';
import {
  type StartedItems,
  startItems,
  workspacePath,
} from '../../services/items/support/start-items.js';
import { candidatesOf } from './candidates.js';
import { declarables } from './declarations.js';
import { checkSays } from './judges.js';

let directory: TestDirectory;
let items: StartedItems;
beforeAll(async () => {
  directory = await TestDirectory.start({});
  items = await startItems();
});
afterAll(async () => {
  await directory.stop();
  await items.stop();
});

/**
 * Properties whose verdict hangs on others, or that the API doesn't have as they are: tested
 * elsewhere.
 */
const judgedElsewhere: Readonly<Record<string, string>> = {
  mailEnabled: 'decides the kind together with groupTypes and securityEnabled',
  securityEnabled: 'the same',
  membershipRule: 'is a language; needs DynamicMembership in groupTypes',
  membershipRuleProcessingState: 'belongs to a membership rule',
  isAssignableToRole: 'needs rights, and holds other properties',
  assignmentRequired: 'is a property of the service principal',
  capacityId: 'is a request of its own',
  folderId: 'names a folder that must exist',
};

type Body = Readonly<Record<string, unknown>>;
const unique = (): string => `e${String(Math.random()).slice(2)}`;

/**
 * How a request creates each kind by itself: a body with one property changed, and the status of
 * the answer.
 */
const requests: readonly {
  readonly what: string;
  readonly kind: Kind;
  readonly send: (body: Body, name: string) => Promise<number>;
}[] = [
  {
    what: 'groups',
    kind: group,
    async send(body, name) {
      const isStoredApart =
        metadataOf(group.properties[name as keyof typeof group.properties]).outsideMainStore ===
        true;
      const { status, body: created } = await directory.post(
        '/groups',
        unifiedGroup(isStoredApart ? {} : body),
      );
      if (isStoredApart) return (await directory.patch(`/groups/${created.id}`, body)).status;
      // Its nickname may be another value's in another letter case
      if (status === 201) await directory.delete(`/groups/${created.id}`);
      return status;
    },
  },
  {
    what: 'registrations',
    kind: registration,
    send: async (body) =>
      (await directory.post('/applications', { displayName: 'r', ...body })).status,
  },
  {
    what: 'groupLifecyclePolicy',
    kind: groupLifecyclePolicy,
    async send(body) {
      const sent = { groupLifetimeInDays: 180, managedGroupTypes: 'All', ...body };
      const { status, body: created } = await directory.post('/groupLifecyclePolicies', sent);
      if (status === 201) await directory.delete(`/groupLifecyclePolicies/${created.id}`);
      return status;
    },
  },
  {
    what: 'workspaces',
    kind: workspace,
    send: async (body) =>
      (await items.call('POST', '/v1/workspaces', { body: { displayName: unique(), ...body } }))
        .status,
  },
  {
    what: 'eventhouses',
    kind: eventhouse,
    send: async (body) =>
      (
        await items.call('POST', `${workspacePath}/eventhouses`, {
          body: { displayName: unique(), ...body },
        })
      ).status,
  },
];

const isSent = (name: string, schema: TSchema): boolean =>
  ['string', 'number', 'integer', 'boolean'].includes(
    String((schema as { readonly type?: unknown }).type),
  ) &&
  metadataOf(schema).terraform !== undefined &&
  metadataOf(schema).notInApi !== true &&
  !('x-references' in schema) &&
  !Object.hasOwn(judgedElsewhere, name);

describe.each(requests)(
  'a request about $what gets the verdict of check, wrong types included,',
  ({ what, kind, send }) => {
    const { configOf, base } = declarables.find((each) => each.label === what)!;
    const sentProperties = Object.entries(kind.properties).filter(([name, schema]) =>
      isSent(name, schema),
    );

    it.each(sentProperties)('with each value of %s', async (name, schema) => {
      const differing: string[] = [];
      for (const { declaration, path, valueText } of candidatesOf(kind.schema, base, false)) {
        if (path.length !== 1 || path[0] !== name || !Object.hasOwn(declaration as Body, name))
          continue;
        const value = (declaration as Body)[name];
        const api = metadataOf(schema).api ?? name;
        const body = api
          .split('.')
          .reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as Body;
        const status = await send(body, name);
        const check = checkSays(configOf(declaration));
        const isRefused = check.length > 0 && !isAcceptedByApiOnly(schema, value);
        if ((status === 400) !== isRefused)
          differing.push(`${valueText}: ${String(status)}; check says ${check[0] ?? 'yes'}`);
      }
      expect(differing).toEqual([]);
    });
  },
);

describe('one verdict of check and of the directory', () => {
  it.each([
    'https://shop.example/cb',
    'http://shop.example/cb',
    'http://localhost/cb',
    'http://127.0.0.1:8080/cb',
    'https://shop.example/cb#top',
    'https://shop.example/c b',
    'urn:ietf:wg:oauth:2.0:oob',
    'shop://callback',
    'nonsense',
    '',
    'https://*.shop.example/cb',
    'https://shop.example/*',
    ...[255, 256, 257].map((length) => `https://shop.example/${'a'.repeat(length - 21)}`),
  ])('on the redirect URI %.40s', async (uri) => {
    const isRefused =
      checkSays({
        version: 1,
        stack: 'thing',
        registrations: { thing: { displayName: 'r', redirectUris: [uri] } },
      }).length > 0;
    const { status } = await directory.post('/applications', {
      displayName: 'r',
      web: { redirectUris: [uri] },
    });
    expect(status === 400).toBe(isRefused);
  });
});
