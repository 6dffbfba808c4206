import type { TSchema } from '@sinclair/typebox';
import type { Finding } from '../../../core/findings/finding.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { group } from '../../../kinds/group/group.js';
import { registration } from '../../../kinds/registration/registration.js';
import { factsOf } from '../../../kinds/schema/facts.js';
import { isTaken } from '../../../kinds/schema/judge.js';
import type { Section } from '../../../kinds/stack/schema.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { checkDeclaration } from '../../../policies/check/check-declaration.js';
import { rules } from '../../../policies/rules/index.js';
import { ResourceJudge } from '../../../policies/sources/plan/check-plan.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import { validateConfig } from '../../../provider/planner/validate.js';
import { castellanSchema } from '../../../provider/schemas/castellan/index.js';
import type { StartedItems } from '../../services/items/support/start-items.js';
import { startItems, workspacePath } from '../../services/items/support/start-items.js';
import { TestDirectory, securityGroup, unifiedGroup } from '../../services/directory/support/directory.js';
import { candidates } from './candidates.js';

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

/** Properties whose verdict hangs on other properties, or that the API doesn't have: rules of their own are tested elsewhere. */
const together: Readonly<Record<string, string>> = {
  mailEnabled: 'decides the kind together with groupTypes and securityEnabled',
  securityEnabled: 'the same',
  membershipRule: 'is a language; needs DynamicMembership in groupTypes',
  membershipRuleProcessingState: 'belongs to a membership rule',
  isAssignableToRole: 'needs rights, and holds other properties',
  assignmentRequired: 'is a property of the service principal',
};

/** Where the verdicts differ, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'registrations.redirectUris': 'a URI without a path is refused by the official provider, and taken by the directory',
};

const isJudged = (name: string, schema: TSchema): boolean => {
  const { type } = schema as { readonly type?: unknown };
  const isScalar = ['string', 'number', 'integer', 'boolean'].includes(String(type));
  return (
    isScalar &&
    !Object.hasOwn(together, name) &&
    !('x-references' in schema) &&
    factsOf(schema).terraform !== undefined &&
    factsOf(schema).onlyDeclared !== true
  );
};

const tableOf = (section: string, properties: Readonly<Record<string, TSchema>>) =>
  Object.entries(properties)
    .filter(([name, schema]) => isJudged(name, schema) && !Object.hasOwn(exceptions, `${section}.${name}`))
    .flatMap(([name, schema]) => candidates(schema).map((value) => ({ name, value, said: JSON.stringify(value).slice(0, 40) })));

const refuses = (findings: readonly Finding[], property: string): boolean =>
  findings.some(({ severity, verdict, path }) => severity === 'error' && verdict === 'fail' && path?.includes(property));

function planRefuses(type: string, after: Readonly<Record<string, unknown>>, property: string): boolean {
  const judge = new ResourceJudge({ rules, locate: () => undefined, now: new Date(), wanted: new Set() });
  const address = `${type}.thing`;
  const resource = { address, mode: 'managed', type, name: 'thing', providerName: '', actions: ['create'], before: null };
  judge.add({ ...resource, after, afterUnknown: {}, replacePaths: [] } as unknown as PlannedResource);
  return refuses(judge.finish().findings, property);
}

/** The attributes of a planned resource in which a property has a value. */
function planned(schema: TSchema, official: string, value: unknown): { readonly type: string; readonly after: Record<string, unknown> } {
  const { terraform } = factsOf(schema);
  const places = typeof terraform === 'string' || (terraform && 'at' in terraform) ? { [official]: terraform } : (terraform ?? {});
  const [[type, place]] = Object.entries(places) as [[string, string | { readonly at: string; readonly words: Record<string, unknown> }]];
  const path = typeof place === 'string' ? place : place.at;
  const given = typeof place === 'string' || typeof value !== 'string' ? value : (place.words[value] ?? value);
  const after = path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), given);
  return { type, after: after as Record<string, unknown> };
}

/** What castellan's own provider says of the value, where one of its types has the attribute at its top. */
function providerRefuses(schema: TSchema, value: unknown): boolean | undefined {
  const { terraform } = factsOf(schema);
  const own = Object.entries(typeof terraform === 'object' ? terraform : {}).find(([type]) => type.startsWith('castellan_'));
  if (own === undefined || typeof value === 'boolean' || (schema as { type?: string }).type !== (typeof value as string)) return undefined;
  const [type, attribute] = own as [string, string];
  const resource = castellanSchema.resources[type];
  if (resource === undefined) throw new Error(`castellan has no ${type}`);
  const findings = validateConfig(resource, castellanSchema.style, { [attribute]: value as string | number });
  return findings.some(({ severity, path = [] }) => severity === 'error' && path[0] === attribute);
}

async function groupRefuses(name: string, value: unknown): Promise<boolean> {
  const outside = factsOf(group.properties[name as keyof typeof group.properties]).outsideStore === true;
  if (!outside) {
    const { status, body: made } = await directory.post('/groups', unifiedGroup({ [name]: value }));
    if (status === 201) await directory.delete(`/groups/${made.id}`); // its nickname may be another value's in another letter case
    return status === 400;
  }
  const { body } = await directory.post('/groups', unifiedGroup());
  return (await directory.patch(`/groups/${body.id}`, { [name]: value })).status === 400;
}

describe('one verdict for one value', () => {
  it.each(tableOf('groups', group.properties))('of a group whose $name is $said', async ({ name, value }) => {
    const schema = group.properties[name as keyof typeof group.properties];
    const checked = refuses(checkDeclaration('groups', 'thing', { kind: 'unified', displayName: 'G', [name]: value }), name);
    const { type, after } = planned(schema, 'azuread_group', value);
    const whole = { display_name: 'G', mail_nickname: 'g', mail_enabled: true, security_enabled: false, types: ['Unified'] };
    // an empty text in a plan is how a provider says that nothing is set
    if (value !== '' && factsOf(schema).outsideStore !== true)
      expect(['plan', planRefuses(type, type === 'azuread_group' ? { ...whole, ...after } : after, name)]).toEqual(['plan', checked]);
    const provider = providerRefuses(schema, value);
    if (provider !== undefined) expect(['provider', provider]).toEqual(['provider', checked]);
    expect(['service', await groupRefuses(name, value)]).toEqual(['service', checked]);
  });

  it.each(tableOf('eventhouses', eventhouse.properties))('of an eventhouse whose $name is $said', async ({ name, value }) => {
    if (name === 'folderId') return;
    const schema = eventhouse.properties[name as keyof typeof eventhouse.properties];
    const declared = { workspace: 'w', displayName: 'e', [name]: value };
    const checked = refuses(checkDeclaration('eventhouses', 'thing', declared), name);
    const { type, after } = planned(schema, 'fabric_eventhouse', value);
    const isUnset = value === '' && name !== 'displayName';
    if (!isUnset) expect(['plan', planRefuses(type, { display_name: 'e', ...after }, name)]).toEqual(['plan', checked]);
    const provider = providerRefuses(schema, value);
    if (provider !== undefined) expect(['provider', provider]).toEqual(['provider', checked]);
    const [object, inner] = (factsOf(schema).api ?? name).split('.') as [string, string?];
    const body = { displayName: `e${String(Math.random()).slice(2)}`, [object]: inner === undefined ? value : { [inner]: value } };
    const { status } = await items.call('POST', `${workspacePath}/eventhouses`, { body });
    expect(['service', status === 400]).toEqual(['service', checked]);
  });

  it.each(tableOf('workspaces', workspace.properties).filter(({ name }) => name !== 'capacityId'))(
    'of a workspace whose $name is $said',
    async ({ name, value }) => {
      const schema = workspace.properties[name as keyof typeof workspace.properties];
      const checked = refuses(checkDeclaration('workspaces', 'thing', { displayName: 'w', [name]: value }), name);
      const { type, after } = planned(schema, 'fabric_workspace', value);
      const isUnset = value === '' && name !== 'displayName';
      if (!isUnset) expect(['plan', planRefuses(type, { display_name: 'w', ...after }, name)]).toEqual(['plan', checked]);
      const { status } = await items.call('POST', '/v1/workspaces', { body: { displayName: `w${Math.random()}`, [name]: value } });
      expect(['service', status === 400]).toEqual(['service', checked]);
    },
  );

  it.each(tableOf('registrations', registration.properties))('of a registration whose $name is $said', async ({ name, value }) => {
    const section: Section = 'registrations';
    const schema = registration.properties[name as keyof typeof registration.properties];
    const checked = refuses(checkDeclaration(section, 'thing', { displayName: 'r', [name]: value }), name);
    const { type, after } = planned(schema, 'azuread_application_registration', value);
    // an empty text in a plan is how a provider says that nothing is set, and false for "false" has a rule of its own
    const isTextBoolean = schema['type'] === 'boolean' && typeof value === 'string';
    if (!isTaken(schema, value) && !isTextBoolean)
      expect(['plan', planRefuses(type, { display_name: 'r', ...after }, name)]).toEqual(['plan', checked]);
    const body = (factsOf(schema).api ?? name).split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
    const { status } = await directory.post('/applications', { displayName: 'r', ...(body as object) });
    expect(['service', status === 400]).toEqual(['service', checked && !isTaken(schema, value)]);
  });

  it.each([
    ...[
      'https://shop.example/cb',
      'http://shop.example/cb',
      'http://localhost/cb',
      'http://127.0.0.1:8080/cb',
      'https://shop.example/cb#top',
    ],
    ...[
      'https://shop.example/c b',
      'urn:ietf:wg:oauth:2.0:oob',
      'shop://callback',
      'nonsense',
      '',
      'https://*.shop.example/cb',
      'https://shop.example/*',
    ],
    ...[255, 256, 257].map((length) => `https://shop.example/${'a'.repeat(length - 21)}`),
  ])('of the redirect URI %.40s', async (uri) => {
    const checked = refuses(checkDeclaration('registrations', 'thing', { displayName: 'r', redirectUris: [uri] }), 'redirectUris');
    expect(['plan', planRefuses('azuread_application_redirect_uris', { type: 'Web', redirect_uris: [uri] }, 'redirectUris')]).toEqual([
      'plan',
      checked,
    ]);
    const { status } = await directory.post('/applications', { displayName: 'r', web: { redirectUris: [uri] } });
    expect(['service', status === 400]).toEqual(['service', checked]);
  });

  it('differs on a redirect URI without a path, which the official provider refuses and the directory takes', async () => {
    const uri = 'https://shop.example';
    expect(refuses(checkDeclaration('registrations', 'thing', { displayName: 'r', redirectUris: [uri] }), 'redirectUris')).toBe(true);
    expect((await directory.post('/applications', { displayName: 'r', web: { redirectUris: [uri] } })).status).toBe(201);
  });

  it.each(candidates(groupLifecyclePolicy.properties.groupLifetimeInDays))('of a lifetime of %j days', async (value) => {
    const after = { group_lifetime_in_days: value, managed_group_types: 'All' };
    const inPlan = planRefuses('castellan_group_lifecycle_policy', after, 'groupLifetimeInDays');
    const { status, body } = await directory.post('/groupLifecyclePolicies', { groupLifetimeInDays: value, managedGroupTypes: 'All' });
    if (status === 201) await directory.delete(`/groupLifecyclePolicies/${body.id}`);
    expect(['service', status === 400]).toEqual(['service', inPlan]);
  });

  it('names at most five exceptions, and tries something of each kind', async () => {
    expect(Object.keys(exceptions).length).toBeLessThanOrEqual(5);
    expect(tableOf('groups', group.properties).length).toBeGreaterThan(50);
    expect((await directory.post('/groups', securityGroup())).status).toBe(201);
  });
});
