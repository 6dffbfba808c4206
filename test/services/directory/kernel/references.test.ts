import {
  TestDirectory,
  application,
  id,
  person,
  securityGroup,
  unifiedGroup,
  user,
} from '../support/directory.js';

const host = 'https://graph.example/v1.0';

describe('references in bodies', () => {
  let directory: TestDirectory;
  let group: string;
  let unified: string;
  let unit: string;
  let registration: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: {
        users: [
          user(id(1)),
          user(id(2)),
          user(id(3), { userPrincipalName: "o'brien@castellan.example" }),
        ],
        devices: [{ id: id(10), displayName: 'd' }],
        contacts: [{ id: id(20), displayName: 'c' }],
      },
    });
    group = (await directory.group())['id'] as string;
    unified = (await directory.post('/groups', unifiedGroup())).body.id;
    unit = (await directory.post('/administrativeUnits', { displayName: 'unit' })).body.id;
    registration = (await directory.post('/applications', { displayName: 'app' })).body.id;
  });
  afterAll(() => directory.stop());

  const unknown = ['/chairs/', '/tenants/', '/policies/chairs/', '/servicePrincipal/', '/'];

  it.each(unknown)(
    '%s{id} names no collection: 400 wherever a reference is accepted',
    async (collection) => {
      const reference = `${host}${collection}${id(1)}`;
      const requests: [string, string, unknown][] = [
        ['POST', '/groups', securityGroup({ 'members@odata.bind': [reference] })],
        ['POST', '/groups', securityGroup({ 'owners@odata.bind': [reference] })],
        ['PATCH', `/groups/${group}`, { 'members@odata.bind': [reference] }],
        ['POST', `/groups/${group}/members/$ref`, { '@odata.id': reference }],
        ['POST', `/groups/${group}/owners/$ref`, { '@odata.id': reference }],
        ['POST', `/groups/${unified}/acceptedSenders/$ref`, { '@odata.id': reference }],
        ['POST', `/applications/${registration}/owners/$ref`, { '@odata.id': reference }],
        ['POST', '/applications', { displayName: 'x', 'owners@odata.bind': [reference] }],
        ['POST', `/administrativeUnits/${unit}/members/$ref`, { '@odata.id': reference }],
        ['PUT', `/users/${id(2)}/manager/$ref`, { '@odata.id': reference }],
        ['DELETE', `/groups/${group}/members/$ref?$id=${encodeURIComponent(reference)}`, undefined],
      ];
      for (const [method, path, body] of requests)
        expect([path, (await directory.ask(method, path, body)).status]).toEqual([path, 400]);
    },
  );

  it('bind the relationships that a body can bind, and no others', async () => {
    const reference = `${host}/users/${id(1)}`;
    const requests: [string, string, object][] = [
      ['POST', '/groups', securityGroup({ 'memberOf@odata.bind': [reference] })],
      ['POST', '/groups', securityGroup({ 'chairs@odata.bind': [reference] })],
      ['PATCH', `/groups/${group}`, { 'chairs@odata.bind': [reference] }],
      ['PATCH', `/groups/${group}`, { 'team@odata.bind': reference }],
      ['POST', '/applications', { displayName: 'x', 'members@odata.bind': [reference] }],
      ['POST', '/administrativeUnits', { displayName: 'x', 'members@odata.bind': [reference] }],
      ['PATCH', `/users/${id(2)}`, { 'manager@odata.bind': reference }],
    ];
    for (const [method, path, body] of requests) {
      const { status, text } = await directory.ask(method, path, body);
      expect([path, status, text]).toEqual([
        path,
        400,
        expect.stringContaining('Not a valid reference update'),
      ]);
    }
    const annotated = {
      '@odata.type': '#microsoft.graph.group',
      'description@odata.type': '#String',
      description: 'd',
    };
    expect((await directory.patch(`/groups/${group}`, annotated)).status).toBe(204);
  });

  it.each(['directoryObjects', 'users', 'Users', 'DIRECTORYOBJECTS'])(
    '%s/{id} leads to a user',
    async (collection) => {
      const created = await directory.post(
        '/groups',
        securityGroup({ 'members@odata.bind': [`${host}/${collection}/${id(1)}`] }),
      );
      expect(created.status).toBe(201);
      const keyed = await directory.post(
        '/groups',
        securityGroup({ 'members@odata.bind': [`${host}/${collection}('${id(1)}')`] }),
      );
      expect(keyed.status).toBe(201);
    },
  );

  it.each([
    `${host}/users/o'brien@castellan.example`,
    `${host}/users/o%27brien%40castellan.example`,
    `${host}/users('o''brien@castellan.example')`,
    `${host}/users(%27o%27%27brien@castellan.example%27)`,
    "users/O'Brien@castellan.example",
  ])('%s leads to the user of that name', async (reference) => {
    const created = await directory.post('/groups', securityGroup());
    const members = `/groups/${created.body.id}/members`;
    const added = await directory.post(`${members}/$ref`, { '@odata.id': reference });
    expect(added.status).toBe(204);
    expect((await directory.get(members)).body.value).toMatchObject([{ id: id(3) }]);
  });

  it.each<[string, () => string]>([
    ['groups', () => group],
    ['devices', () => id(10)],
    ['contacts', () => id(20)],
    ['applications', () => registration],
    ['administrativeUnits', () => unit],
    ['directoryRoles', () => id(999)],
  ])(
    'an object of /%s cannot be an owner: 400, by its collection and by itself, in every place',
    async (collection, find) => {
      const named = [`${host}/${collection}/${find()}`, `${host}/${collection}/${id(998)}`];
      const references =
        collection === 'directoryRoles' ? named : [...named, `${host}/directoryObjects/${find()}`];
      for (const reference of references)
        for (const [path, body] of [
          ['/groups', securityGroup({ 'owners@odata.bind': [reference] })],
          [`/groups/${group}/owners/$ref`, { '@odata.id': reference }],
          ['/applications', { displayName: 'x', 'owners@odata.bind': [reference] }],
          [`/applications/${registration}/owners/$ref`, { '@odata.id': reference }],
        ] as const)
          expect([path, reference, (await directory.post(path, body)).status]).toEqual([
            path,
            reference,
            400,
          ]);
    },
  );

  it('an unknown owner is 404', async () => {
    const reference = `${host}/users/${id(998)}`;
    expect(
      (await directory.post(`/groups/${group}/owners/$ref`, { '@odata.id': reference })).status,
    ).toBe(404);
  });
});

describe('the body of a group', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({ seed: { users: [user(id(1))] } });
  });
  afterAll(() => directory.stop());

  it('isArchived changes only by archive and unarchive: a body with it is refused', async () => {
    const { body } = await directory.post(
      '/groups',
      unifiedGroup({ resourceProvisioningOptions: ['Team'] }),
    );
    const path = `/groups/${body.id}`;
    const admin = person(id(1), ['Group.ReadWrite.All'], ['groupsAdministrator']);
    for (const value of [true, false, null]) {
      const answer = await directory.patch(path, { isArchived: value }, { as: admin });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('isArchived'),
      ]);
    }
    const both = await directory.patch(path, { isArchived: true, isFavorite: true }, { as: admin });
    expect(both.status).toBe(400);
    expect(
      (
        await directory.patch(
          path,
          { isArchived: true },
          { as: application(id(90), ['Group.ReadWrite.All']) },
        )
      ).status,
    ).toBe(403);
    expect((await directory.get(`${path}?$select=isArchived`)).body.isArchived).toBeNull();
    expect((await directory.post(`/teams/${body.id}/archive`)).status).toBe(202);
    expect((await directory.get(`${path}?$select=isArchived`)).body.isArchived).toBe(true);
  });

  it.each([
    'members,owners',
    'members,members',
    'members($select=id),owners($select=id)',
    'owners,memberOf,members',
  ])('$expand=%s is refused: one relationship in one request', async (expand) => {
    const { id: groupId } = await directory.group();
    for (const path of [`/groups/${groupId}`, '/groups', `/users/${id(1)}`])
      expect([path, (await directory.get(`${path}?$expand=${expand}`)).status]).toEqual([
        path,
        400,
      ]);
  });
});
