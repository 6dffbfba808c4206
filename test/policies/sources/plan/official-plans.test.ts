import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';

const folder = join(__dirname, 'official');

/** What a check says of a plan by the official providers, one line for each finding. */
async function findingLines(
  file: string,
  kind: 'plan' | 'state' = 'plan',
): Promise<readonly string[]> {
  const { findings } = await runCheck({
    paths: [],
    [kind]: file,
    cwd: folder,
    env: {},
    now: new Date('2026-11-22T12:00:00Z'),
  });
  return findings
    .map(({ verdict, ruleId, terraformAddress, path = [] }) =>
      `${verdict} ${ruleId} ${terraformAddress ?? ''} ${path.slice(2).join('.')}`.trim(),
    )
    .sort();
}

/**
 * The sign-in setting of both: GitHub is no provider of it, all paths are excluded, and its secret
 * isn't there.
 */
const authFindings = (auth: string, app: string) => [
  `fail app-secret-references ${auth} auth.providers.directory.clientSecret`,
  `fail auth-allow-insecure ${app} ingress.allowInsecure`,
  `fail auth-excluded-everything ${auth} auth.excludedPaths.0`,
  `fail auth-redirect-target ${auth} auth.redirectTo`,
];

describe('a plan by the official providers', () => {
  it.each(['auth1', 'auth2'])(
    'of %s: joins the sign-in setting with the app that it refers to, and judges the second container',
    async (name) => {
      const auth = name === 'auth1' ? 'azapi_resource.auth' : 'azapi_resource.web';
      expect(await findingLines(`${name}/plan.json`)).toEqual(
        [
          ...authFindings(auth, 'azurerm_container_app.web'),
          'fail app-image-pinned azurerm_container_app.web containers.second.image',
          'fail app-secret-references azurerm_container_app.web containers.second.env.X.secret',
        ].sort(),
      );
    },
  );

  it.each([
    ['bools', 'a data source without arguments'],
    ['count', 'groups by count and for_each, of which everything that is declared is known'],
    ['module', 'the same in a module'],
    [
      'legal',
      'addresses of a public client, 51.5 units and an exact end of a secret, which are all legal',
    ],
  ])('of %s: finds nothing in %s', async (name) => {
    expect(await findingLines(`${name}/plan.json`)).toEqual([]);
  });

  it('of viol: finds every mistake of its main.tf', async () => {
    const app = 'azurerm_container_app.weights';
    expect(await findingLines('viol/plan.json')).toEqual(
      [
        ...authFindings('azapi_resource.auth', app),
        'fail plan-text-boolean azapi_resource.auth body.properties.platform.enabled',
        `fail app-cpu-memory ${app} memory`,
        `fail app-image-pinned ${app} image`,
        `fail app-replicas ${app} replicas.min`,
        `fail app-secret-in-env ${app} env.DB_PASSWORD`,
        `fail app-secret-references ${app} env.X.secret`,
        `fail app-traffic ${app} revision.traffic`,
        'fail group-kind azuread_group.neither securityEnabled',
        'fail group-mail-nickname azuread_group.nick mailNickname',
        'fail group-mail-nickname-unique azuread_group.u2 mailNickname',
        'fail group-role-assignable azuread_group.rolepublic visibility',
        'fail item-display-name fabric_eventhouse.h displayName',
        'fail item-name-unique fabric_eventhouse.h3 displayName',
        'fail plan-endless-difference azuread_group.nick owners',
      ].sort(),
    );
  });

  it('of a storefront that is created: leaves audiences and addresses unknown', async () => {
    expect(await findingLines('storefront/create.json')).toEqual([
      'fail auth-open-provider azapi_resource.storefront auth.providers.codehost',
      'fail auth-shared-state azapi_resource.storefront auth.tokenStore',
      'unknown property-value azapi_resource.storefront auth.providers.directory.allowedAudiences',
      'unknown property-value azuread_application_redirect_uris.storefront-login redirectUris',
      'unknown registration-redirect-uris azuread_application_redirect_uris.storefront-login redirectUris',
    ]);
  });

  it('of a storefront that changes: reports that the replaced eventhouse loses its data, and no drift that the replacement ends', async () => {
    expect(await findingLines('storefront/change.json')).toEqual([
      'fail auth-open-provider azapi_resource.storefront auth.providers.codehost',
      'fail auth-shared-state azapi_resource.storefront auth.tokenStore',
      'fail plan-loses-data fabric_eventhouse.clickstore',
    ]);
    const { findings } = await runCheck({
      paths: [],
      plan: 'storefront/change.json',
      cwd: folder,
      env: {},
    });
    // Terraform names the attribute and what is in it: the inner one says it all.
    expect(findings.find(({ ruleId }) => ruleId === 'plan-loses-data')?.message).toMatch(
      /because configuration\.minimum_consumption_units changes$/,
    );
  });

  it('of a storefront that is destroyed: names everything whose data is lost', async () => {
    expect(await findingLines('storefront/destroy.json')).toEqual([
      'fail plan-loses-data azuread_application_registration.storefront-login',
      'fail plan-loses-data azuread_group.shoppers',
      'fail plan-loses-data azuread_group.storefront-admins',
      'fail plan-loses-data fabric_eventhouse.clickstore',
      'fail plan-loses-data fabric_workspace.telemetry',
    ]);
  });

  it('and the state after its creation: has the findings that do not depend on unknown values', async () => {
    expect(await findingLines('storefront/state.json', 'state')).toEqual([
      'fail auth-open-provider azapi_resource.storefront auth.providers.codehost',
      'fail auth-shared-state azapi_resource.storefront auth.tokenStore',
    ]);
  });
});
