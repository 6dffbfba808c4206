import { onEveryEngine } from '../support/engines.js';
import { TestDirectory, application, id, unifiedGroup, user } from '../support/directory.js';

onEveryEngine('the objects that refer to a domain', (openDatabase) => {
  it('are the users and groups with a name or mail address in it', async () => {
    const directory = await TestDirectory.start({
      database: await openDatabase(),
      seed: {
        users: [
          user(id(1), { userPrincipalName: 'Ada@Contoso.example' }),
          user(id(2), { userPrincipalName: 'grace@notcontoso.example' }),
          user(id(3), { mail: 'office@contoso.example' }),
        ],
      },
    });
    const { body: team } = await directory.post('/groups', unifiedGroup());
    const referring = async (path: string): Promise<unknown> => {
      const { status, body } = await directory.get(`/domains/${path}`);
      return status === 200 ? body.value.map((each: { id: string }) => each.id) : status;
    };
    expect(await referring('Contoso.example/domainNameReferences')).toEqual([id(1), id(3)]);
    const ofTenant = 'castellan.example/domainNameReferences';
    expect(await referring(ofTenant)).toEqual([id(3), team.id]);
    expect(await referring(`${ofTenant}/svc.directory.group`)).toEqual([team.id]);
    expect(await referring('unknown.example/domainNameReferences')).toBe(404);
    const masked = await directory.get('/domains/contoso.example/domainNameReferences', {
      as: application(id(99), ['Domain.Read.All']),
    });
    expect(masked.body.value).toMatchObject([
      { id: id(1), userPrincipalName: null },
      { id: id(3), mail: null },
    ]);
    await directory.stop();
    await directory.database.close();
  });
});

it('a domain takes the properties that can be changed, and says which cannot; new groups get mail in the default one', async () => {
  const directory = await TestDirectory.start();
  await directory.post('/domains', { id: 'contoso.example' });
  const path = '/domains/contoso.example';
  const status = async (values: object): Promise<number> =>
    (await directory.patch(path, values)).status;
  expect(await status({ isDefault: true })).toBe(400); // it is not verified
  await directory.post(`${path}/verify`);
  const days = { passwordValidityPeriodInDays: 30, passwordNotificationWindowInDays: 7 };
  expect(await status(days)).toBe(204);
  await directory.post(`${path}/verify`);
  expect((await directory.get(path)).body).toMatchObject({ ...days, isDefault: false });
  expect(await status({ isDefault: true, supportedServices: ['Email'] })).toBe(204);
  const domains = (await directory.get('/domains')).body.value;
  expect(domains.map((each: Record<string, unknown>) => [each['id'], each['isDefault']])).toEqual([
    ['contoso.example', true],
    ['castellan.example', false],
  ]);
  expect(domains[0]).toMatchObject({ ...days, supportedServices: ['Email'] });
  const { body: team } = await directory.post('/groups', unifiedGroup());
  const mail = `${team.mailNickname}@contoso.example`;
  expect(team).toMatchObject({ mail, proxyAddresses: [`SMTP:${mail}`] });
  expect(await status({ isDefault: false })).toBe(400);
  expect(await status({ passwordValidityPeriodInDays: 'long' })).toBe(400);
  const unknown = await directory.patch(path, { isDefault: true, authenticationType: 'Federated' });
  expect([unknown.status, unknown.body.error.message]).toEqual([
    400,
    expect.stringContaining("'authenticationType'"),
  ]);
  await directory.stop();
});
