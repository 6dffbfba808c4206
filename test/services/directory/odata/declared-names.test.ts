import { TestDirectory, id, securityGroup, user } from '../support/directory.js';

const globalReaderId = 'f2ef992c-3afb-46b9-b7cf-a126ee74c451';

describe('names of properties in another letter case', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({ dialect: 'azure', seed: { users: [user(id(1))] } });
    await directory.group(
      securityGroup({
        displayName: 'Sales',
        mailNickname: 'sales',
        'members@odata.bind': [`http://x/v1.0/users/${id(1)}`],
      }),
    );
  });
  afterAll(() => directory.stop());

  it.each([
    '$select=DisplayName',
    "$select=displayname&$filter=DisplayName eq 'Sales'",
    "$select=displayName&$filter=GroupTypes/any(x:x eq 'Unified') or startsWith(MailNickName,'sal')",
    '$select=DisplayName,displayName&$orderby=DisplayName desc',
  ])('are understood: %s', async (query) => {
    const answer = await directory.get(`/groups?${query.replaceAll(' ', '%20')}`);
    expect(answer.body.value).toEqual([{ displayName: 'Sales' }]);
  });

  it('are understood in $search, $expand, and in filters within collections and negations', async () => {
    const searched = await directory.advanced('/groups?$search="DisplayName:sales"&$select=Id');
    expect(searched.body.value).toHaveLength(1);
    const negated = await directory.advanced(
      `/applications/$count?$filter=${encodeURIComponent("not(AppRoles/any(r:r/DisplayName eq 'x'))")}`,
    );
    expect(negated.text).toBe('0');
    const expanded = await directory.get('/groups?$select=Id&$expand=Members($select=Id)');
    expect(expanded.body.value[0].members).toEqual([
      { '@odata.type': '#microsoft.graph.user', id: id(1) },
    ]);
  });

  it('are understood when a single object is read', async () => {
    const answer = await directory.get(`/users/${id(1)}?$select=UserPrincipalName`);
    expect(answer.body).toHaveProperty('userPrincipalName');
  });

  it('are understood of records that are no objects', async () => {
    const assignment = await directory.post('/roleManagement/directory/roleAssignments', {
      roleDefinitionId: globalReaderId,
      principalId: id(1),
      directoryScopeId: '/',
    });
    expect(assignment.status).toBe(201);
    const path = '/roleManagement/directory/roleAssignments';
    const filter = encodeURIComponent(`PrincipalId eq '${id(1)}'`);
    const listed = await directory.get(`${path}?$filter=${filter}&$select=PrincipalID`);
    expect(listed.body.value).toEqual([{ principalId: id(1) }]);
    const single = await directory.get(
      `${path}/${assignment.body.id as string}?$select=PrincipalId`,
    );
    expect(single.body).toHaveProperty('principalId', id(1));
  });

  it('do not make an unknown name known', async () => {
    expect((await directory.get('/groups?$select=Nope')).status).toBe(400);
  });
});
