import { people, startSandbox, type TestSandbox, withoutContainers } from '../e2e-support.js';

withoutContainers();

let sandbox: TestSandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(() => sandbox.stop());

const role = (id: string, value: string) => ({
  id,
  value,
  displayName: value,
  description: value,
  allowedMemberTypes: ['User'],
  isEnabled: true,
});
const [readRoleId, writeRoleId, unassignedRoleId] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
] as const;

async function createObject(path: string, body: object): Promise<Record<string, string>> {
  const answer = await sandbox.api('POST', `/v1.0${path}`, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body as Record<string, string>;
}

async function tokensOf(username: string, clientId: string, scope: string) {
  const form = { grant_type: 'password', client_id: clientId, username, scope };
  const answer = await sandbox.send(
    'POST',
    `${sandbox.origin}/${sandbox.settings.tenantId}/oauth2/v2.0/token`,
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    },
  );
  const claims = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;
  return { access: claims(answer.body.access_token), identity: claims(answer.body.id_token) };
}

/**
 * @claim token-app-roles: App roles of a person, and of groups with the person as a direct member,
 *   are the claim roles.
 * @source
 *   https://learn.microsoft.com/entra/identity-platform/howto-add-app-roles-in-apps
 */
test('tokens for an application have the roles that a person has there, by name or by a group', async () => {
  const { appId } = await createObject('/applications', {
    displayName: 'Shop',
    appRoles: [
      role(readRoleId, 'Orders.Read'),
      role(writeRoleId, 'Orders.Write'),
      role(unassignedRoleId, 'Admin'),
    ],
  });
  const principal = await createObject('/servicePrincipals', { appId });
  const group = await createObject('/groups', {
    displayName: 'Clerks',
    mailNickname: 'clerks',
    mailEnabled: false,
    securityEnabled: true,
    'members@odata.bind': [`${sandbox.origin}/v1.0/directoryObjects/${people.ada}`],
  });
  for (const [principalId, appRoleId] of [
    [people.ada, readRoleId],
    [group['id'], writeRoleId],
  ])
    await createObject(`/servicePrincipals/${principal['id']}/appRoleAssignedTo`, {
      principalId,
      appRoleId,
      resourceId: principal['id'],
    });
  const client = String(appId);
  const tokensOfAda = await tokensOf('ada@contoso.example', client, `openid ${client}/.default`);
  expect(tokensOfAda.identity['roles']).toEqual(['Orders.Read', 'Orders.Write']);
  expect(tokensOfAda.access['roles']).toEqual(['Orders.Read', 'Orders.Write']);
  expect(tokensOfAda.identity).not.toHaveProperty('azp');
  const elsewhere = 'openid https://graph.microsoft.com/User.Read';
  expect((await tokensOf('ada@contoso.example', client, elsewhere)).access).not.toHaveProperty(
    'roles',
  );
  const tokensOfGrace = await tokensOf(
    'grace@contoso.example',
    client,
    `openid ${client}/.default`,
  );
  expect(tokensOfGrace.identity).not.toHaveProperty('roles');
});
