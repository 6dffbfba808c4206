import { kill } from '../../support/processes.js';
import { millisecondsOf, numbersFor, momentCount, Project } from './support.js';
import { declaration } from './declaration.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('a command that is killed at any moment', () => {
  let project: Project;
  let [inventoryBefore, inventoryAfterUp]: [readonly string[], readonly string[]] = [[], []];
  let [upMs, downMs] = [0, 0];

  const startProject = async (): Promise<void> => {
    project = new Project(declaration);
    inventoryBefore = await project.inventory();
    await project.succeeds('up');
    inventoryAfterUp = await project.inventory();
    downMs = await millisecondsOf(() => project.succeeds('down'));
    // The first one is slower than those that follow
    upMs = await millisecondsOf(() => project.succeeds('up'));
    await project.succeeds('down');
  };
  beforeAll(startProject);
  afterAll(() => project.end());
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await project.end(); // what a failed run left could make the next one fail
    await startProject();
  });

  const random = numbersFor('commands');
  const moments = Array.from({ length: momentCount }, () => [random(), random()] as const);

  it.each(moments)(
    'an up killed after %f of its duration is completed by the next up, a down killed after %f by the next down',
    async (...shares) => {
      await project.runInterrupted('up', upMs * shares[0], (group) => kill(-group));
      expect(await project.succeeds('up')).toContain('running, behind sign-in');
      await project.expectNoChanges();
      expect(await project.inventory()).toEqual(inventoryAfterUp);

      await project.runInterrupted('down', downMs * shares[1], (group) => kill(-group));
      await project.succeeds('down');
      expect(await project.inventory()).toEqual(inventoryBefore);
      project.expectEmptyState();
    },
  );

  it('has created something in every service', () => {
    expect(inventoryAfterUp.filter((line) => !inventoryBefore.includes(line)))
      .toMatchInlineSnapshot(`
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
