import { TestDirectory, id, user } from '../support/directory.js';

/** Lists of things that aren't directory objects take the same options. */
describe('lists of assignments, grants and definitions', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: { users: [1, 2, 3].map((each) => user(id(each))) },
    });
    const { appId } = (await directory.post('/applications', { displayName: 'shop' })).body;
    const principal = (await directory.post('/servicePrincipals', { appId })).body.id as string;
    for (const each of [1, 2, 3])
      await directory.post(`/users/${id(each)}/appRoleAssignments`, {
        principalId: id(each),
        resourceId: principal,
        appRoleId: '00000000-0000-0000-0000-000000000000',
      });
    assignmentsPath = `/servicePrincipals/${principal}/appRoleAssignedTo`;
  });
  let assignmentsPath = '';
  afterAll(() => directory.stop());

  const readPages = async (first: string): Promise<unknown[][]> => {
    const pages: unknown[][] = [];
    for (let next: string | undefined = first; next !== undefined && pages.length < 500;) {
      const { status, body } = await directory.get(next);
      expect(status).toBe(200);
      pages.push(body.value as unknown[]);
      next = body['@odata.nextLink'] as string | undefined;
    }
    return pages;
  };

  it('are paged', async () => {
    expect((await readPages(`${assignmentsPath}?$top=2`)).map((page) => page.length)).toEqual([
      2, 1,
    ]);
    const definitions = '/roleManagement/directory/roleDefinitions';
    const all = (await directory.get(definitions)).body.value as unknown[];
    expect((await readPages(`${definitions}?$top=10`)).flat()).toEqual(all);
    expect((await readPages('/directoryRoleTemplates?$top=999')).flat()).toHaveLength(
      (await readPages('/directoryRoleTemplates?$top=1')).length,
    );
  });

  it('are filtered, counted and returned with selected properties', async () => {
    const { body } = await directory.advanced(
      `${assignmentsPath}?$filter=principalId eq ${id(2)}&$select=principalId&$count=true`,
    );
    expect([body['@odata.count'], body.value]).toEqual([1, [{ principalId: id(2) }]]);
  });

  it.each([
    '$orderby=id',
    '$expand=principal',
    '$search="id:x"',
    '$skip=1',
    '$skiptoken=zzz',
    '$top=0',
    "$filter=nothing eq 'x'",
  ])('refuse %s', async (option) => {
    expect((await directory.advanced(`${assignmentsPath}?${option}`)).status).toBe(400);
  });
});
