import { onEveryEngine } from './support/engines.js';
import { TestDirectory, id, securityGroup, unifiedGroup, user } from './support/directory.js';

onEveryEngine('queries on groups', (openDatabase) => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      database: await openDatabase(),
      seed: { users: [user(id(1))] },
    });
    for (const body of [
      unifiedGroup({
        displayName: 'Sales Team',
        mailNickname: 'sales',
        description: 'Sells things',
        classification: 'Low',
        preferredLanguage: 'en',
      }),
      unifiedGroup({
        displayName: 'Berlin',
        mailNickname: 'berlin',
        'owners@odata.bind': [`http://x/v1.0/users/${id(1)}`],
        resourceProvisioningOptions: ['Team'],
      }),
      securityGroup({
        displayName: 'sales admins',
        mailNickname: 'sa',
        uniqueName: 'unique-1',
        isAssignableToRole: true,
      }),
      securityGroup({ displayName: "O'Brien & Söhne", mailNickname: 'ob' }),
    ])
      expect((await directory.post('/groups', body)).status).toBe(201);
  });
  afterAll(async () => {
    await directory.stop();
    await directory.database.close();
  });

  const namesFor = async (
    query: string,
    advanced = false,
  ): Promise<string[] | [number, string]> => {
    const answer = await (advanced ? directory.advanced : directory.get)(`/groups?${query}`);
    if (answer.status !== 200) return [answer.status, answer.body.error.code];
    return answer.body.value.map((group: { displayName: string }) => group.displayName);
  };
  const filter = (text: string): string => `$filter=${encodeURIComponent(text)}`;

  it.each([
    ["displayName eq 'SALES TEAM'", ['Sales Team']],
    ["startsWith(displayName,'sales')", ['sales admins', 'Sales Team']],
    ["startswith(displayName,'sales') and securityEnabled eq true", ['sales admins']],
    ["displayName in ('Berlin', 'sales admins')", ['Berlin', 'sales admins']],
    ["displayName eq 'O''Brien & Söhne'", ["O'Brien & Söhne"]],
    ["groupTypes/any(c:c eq 'Unified')", ['Sales Team', 'Berlin']],
    ["resourceProvisioningOptions/Any(x:x eq 'Team')", ['Berlin']],
    ['isAssignableToRole eq True', ['sales admins']],
    ["mail eq 'sales@castellan.example'", ['Sales Team']],
    ["mailNickname eq 'ob' or mailNickname eq 'sa'", ['sales admins', "O'Brien & Söhne"]],
    ["proxyAddresses/any(p:startsWith(p,'smtp:berlin'))", ['Berlin']],
    ["uniqueName eq 'unique-1'", ['sales admins']],
    ["resourceProvisioningOptions/any(x:x eq 'Team')", ['Berlin']],
    ["classification eq 'Low'", ['Sales Team']],
    ['isAssignableToRole eq true', ['sales admins']],
    [
      'createdDateTime ge 2026-01-15T10:00:00Z',
      ['Sales Team', 'Berlin', 'sales admins', "O'Brien & Söhne"],
    ],
    ['createdDateTime ge 2026-01-16', []],
    ['mailEnabled eq true and createdDateTime le 2026-02-01T00:00:00Z', ['Sales Team', 'Berlin']],
  ])('answers the plain filter %s', async (text, expected) => {
    expect(await namesFor(filter(text))).toEqual(expected);
  });

  it.each([
    ["displayName ne 'Berlin'", ['Sales Team', 'sales admins', "O'Brien & Söhne"]],
    ["not groupTypes/any(c:c eq 'Unified')", ['sales admins', "O'Brien & Söhne"]],
    ["endsWith(mail,'castellan.example')", ['Sales Team', 'Berlin']],
    ['mail eq null', ['sales admins', "O'Brien & Söhne"]],
    ['owners/$count eq 1', ['Berlin']],
    ['owners/$count eq 0', ['Sales Team', 'sales admins', "O'Brien & Söhne"]],
    ["preferredLanguage eq 'en'", ['Sales Team']],
  ])('answers the advanced filter %s, but only with header and count', async (text, expected) => {
    expect(await namesFor(`${filter(text)}&$count=true`, true)).toEqual(expected);
    expect(await namesFor(filter(text), true)).toEqual([400, 'Request_UnsupportedQuery']);
    expect(await namesFor(`${filter(text)}&$count=true`)).toEqual([
      400,
      'Request_UnsupportedQuery',
    ]);
  });

  it.each([
    ['$search="displayName:sales"', ['Sales Team', 'sales admins']],
    ['$search="displayName:team" OR "displayName:ber"', ['Sales Team', 'Berlin']],
    ['$search="description:things"', ['Sales Team']],
    ['$search="mail:berl"', ['Berlin']],
    ['$search="displayName:sales"&$filter=securityEnabled eq true&$count=true', ['sales admins']],
  ])('searches %s', async (query, expected) => {
    expect(await namesFor(encodeURI(query), true)).toEqual(expected);
  });

  it.each([
    ["displayName gt 'a'", 'Request_UnsupportedQuery'],
    ["theme eq 'Teal'", 'Request_UnsupportedQuery'],
    ["nonsense eq 'x'", 'Request_UnsupportedQuery'],
    ['displayName eq', 'Request_BadRequest'],
    ["displayName eq 'x", 'Request_BadRequest'],
    [`${'('.repeat(100)}displayName eq 'x'${')'.repeat(100)}`, 'Request_BadRequest'],
  ])('refuses the filter %s', async (text, code) => {
    expect(await namesFor(filter(text))).toEqual([400, code]);
  });

  it.each([
    '$top=0',
    '$top=1000',
    '$top=x',
    '$skip=5',
    '$select=nope,',
    '$orderby=mail',
    '$count=maybe',
    '$nope=1',
    '$top=1&$top=2',
    '$skiptoken=x',
    '$expand=nothing',
  ])('refuses %s', async (query) => {
    expect(await namesFor(query)).toEqual([400, expect.any(String)]);
  });

  it('sorts by displayName in both directions, over pages', async () => {
    const sorted = ['Berlin', "O'Brien & Söhne", 'sales admins', 'Sales Team'];
    expect(await namesFor('$orderby=displayName')).toEqual(sorted);
    expect(await namesFor('$orderby=displayName desc')).toEqual([...sorted].reverse());
    const names: string[] = [];
    for (let link: string | undefined = '/groups?$orderby=displayName desc&$top=1'; link;) {
      const page: { body: { value: { displayName: string }[]; '@odata.nextLink'?: string } } =
        await directory.get(encodeURI(link).replaceAll('%25', '%'));
      names.push(...page.body.value.map((group) => group.displayName));
      link = page.body['@odata.nextLink'];
    }
    expect(names).toEqual([...sorted].reverse());
  });

  /**
   * @claim count-first-page: `@odata.count` is on the first page.
   * @source https://learn.microsoft.com/graph/aad-advanced-queries
   */
  it('counts only with the header, on the first page only', async () => {
    const plain = await directory.get('/groups?$count=true');
    expect([plain.status, '@odata.count' in plain.body]).toEqual([200, false]);
    const first = await directory.advanced('/groups?$count=true&$top=3');
    expect(first.body['@odata.count']).toBe(4);
    const next = await directory.advanced(first.body['@odata.nextLink']);
    expect('@odata.count' in next.body).toBe(false);
    expect(
      (await directory.advanced(`/groups/$count?${filter("startsWith(displayName,'s')")}`)).text,
    ).toBe('2');
    const bare = await directory.get('/groups/$count');
    expect([bare.status, bare.body.error.code, bare.body.error.message]).toEqual([
      400,
      'Request_BadRequest',
      '$count is not currently supported.',
    ]);
  });

  it('accepts option names with or without $', async () => {
    const { body } = await directory.get(
      "/groups?filter=displayName eq 'Berlin'&select=displayName&top=5",
    );
    expect(body.value).toEqual([{ displayName: 'Berlin' }]);
  });
});

describe('invalid requests', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({ seed: { users: [user(id(1))] } });
  });
  afterAll(() => directory.stop());

  it.each([
    ['POST', '/groups', '', 'application/json', 400],
    ['POST', '/groups', '{', 'application/json', 400],
    ['POST', '/groups', '[]', 'application/json', 400],
    ['POST', '/groups', '"x"', 'application/json', 400],
    ['POST', '/groups', 'null', 'application/json', 400],
    ['POST', '/groups', 'a=b', 'application/x-www-form-urlencoded', 415],
    ['POST', '/groups', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 400],
    [
      'POST',
      '/groups',
      '{"__proto__":{"x":1},"displayName":"a","mailNickname":"proto","mailEnabled":false,"securityEnabled":true}',
      'application/json',
      400,
    ],
    [
      'POST',
      '/groups',
      `{"displayName":"a","mailNickname":"c","mailEnabled":false,"securityEnabled":true,"constructor":"x"}`,
      'application/json',
      201,
    ],
    ['GET', `/groups/${'x'.repeat(5000)}`, undefined, undefined, 400],
    ['GET', "/groups('", undefined, undefined, 404],
    ['GET', '/groups/()', undefined, undefined, 404],
    ['GET', '/groups(uniqueName=', undefined, undefined, 404],
    ['GET', "/groups(uniqueName='a/b')", undefined, undefined, 404],
    ['GET', '/', undefined, undefined, 404],
    ['GET', '//groups', undefined, undefined, 200],
    ['GET', '/GROUPS', undefined, undefined, 200],
    ['GET', '/groups/constructor', undefined, undefined, 404],
    ['GET', '/groups?$select=__proto__', undefined, undefined, 200],
    ['GET', '/groups?$filter=__proto__ eq 1', undefined, undefined, 400],
    ['GET', '/groups?$expand=constructor', undefined, undefined, 400],
  ])('%s %s with %j is answered as JSON', async (method, path, body, type, status) => {
    const answer = await directory.ask(method, path, body, {
      headers: type === undefined ? {} : { 'content-type': type },
    });
    expect(answer.status).toBe(status);
    if (status >= 400) expect(answer.body.error.message).toEqual(expect.any(String));
  });
});
