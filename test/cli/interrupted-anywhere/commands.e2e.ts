import { kill } from '../../support/processes.js';
import { millisecondsOf, numbersFor, points, Project } from './support.js';
import { declaration } from './declaration.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('a command that is killed at any moment', () => {
  let project: Project;
  let [empty, whole]: [readonly string[], readonly string[]] = [[], []];
  let [up, down] = [0, 0];

  const begin = async (): Promise<void> => {
    project = new Project(declaration);
    empty = await project.inventory();
    await project.succeeds('up');
    whole = await project.inventory();
    down = await millisecondsOf(() => project.succeeds('down'));
    // The first one is slower than those that follow
    up = await millisecondsOf(() => project.succeeds('up'));
    await project.succeeds('down');
  };
  beforeAll(begin);
  afterAll(() => project.end());
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await project.end(); // what it left may be what the next would fail of
    await begin();
  });

  const random = numbersFor('commands');
  const moments = Array.from({ length: points }, () => [random(), random()] as const);

  it.each(moments)(
    'an up killed at %f of its time is taken up by the next one, a down killed at %f of its by the next down',
    async (...at) => {
      await project.interrupted('up', up * at[0], (group) => kill(-group));
      expect(await project.succeeds('up')).toContain('running, behind sign-in');
      await project.planHasNoChanges();
      expect(await project.inventory()).toEqual(whole);

      await project.interrupted('down', down * at[1], (group) => kill(-group));
      await project.succeeds('down');
      expect(await project.inventory()).toEqual(empty);
      project.stateIsEmpty();
    },
  );

  it('has created something in every service', () => {
    expect(whole.filter((line) => !empty.includes(line))).toMatchInlineSnapshot(`
      [
        "Eventhouse store of Telemetry: ",
        "KQLDatabase store of Telemetry: ",
        "Microsoft.App/containerApps shop",
        "Microsoft.App/managedEnvironments cae-small",
        "application Small sign-in, passwords: 1, at https://shop.localhost/.auth/login/aad/callback https://shop.localhost/.auth/login/directory/callback",
        "group Readers ",
        "group Writers ",
        "principal Small sign-in",
        "resources rg-small",
        "sign-in of shop: {"globalValidation":{"redirectToProvider":"azureactivedirectory","unauthenticatedClientAction":"RedirectToLoginPage"},"httpSettings":{"requireHttps":true},"identityProviders":{"azureActiveDirectory":{"enabled":true,"registration":{"clientId":"ID","clientSecretSettingName":"directory-client-secret","openIdIssuer":"https://login.microsoftonline.com/ID/v2.0"},"validation":{"allowedAudiences":["api://ID"],"defaultAuthorizationPolicy":{"allowedPrincipals":{"groups":["ID"]}}}}},"login":{"tokenStore":{"enabled":false}},"platform":{"enabled":true}}",
        "workspace Telemetry",
      ]
    `);
  });
});
