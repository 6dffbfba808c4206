import type { Finding } from '../../../../core/findings/finding.js';
import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

const domainLines = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ ruleId }) => ruleId.startsWith('app-domain') || ruleId.startsWith('app-custom'))
    .map(
      ({ verdict, ruleId, terraformAddress, message }) =>
        `${verdict} ${ruleId} ${String(terraformAddress)}: ${message}`,
    )
    .sort();

const group = '/subscriptions/s/resourceGroups/rg';
const app = (name: string, external: boolean) =>
  change('azurerm_container_app', name, {
    name,
    resource_group_name: 'rg',
    ingress: [{ external_enabled: external, target_port: 80 }],
    template: [{ container: [{ name, image: 'shop:1' }] }],
  });
const domain = (id: string, values: object, unknown: object = {}) =>
  change('azurerm_container_app_custom_domain', id, values, unknown);
const idOf = (name: string) => `${group}/providers/Microsoft.App/containerApps/${name}`;

it('judges domains that are resources of their own', async () => {
  const findings = await check(undefined, [
    app('inside', false),
    app('outside', true),
    domain('first', { name: 'a.example.com', container_app_id: idOf('inside') }),
    domain('second', {
      name: 'A.example.com',
      container_app_id: idOf('outside'),
      certificate_binding_type: 'SniEnabled',
    }),
    domain(
      'third',
      {
        name: 'c.example.com',
        container_app_id: idOf('outside'),
        certificate_binding_type: 'SniEnabled',
      },
      { container_app_environment_certificate_id: true },
    ),
  ]);
  expect(domainLines(findings)).toEqual([
    'fail app-custom-domain azurerm_container_app.inside: the app has domains, but is not reached from outside: write ingress: { external_enabled = true }',
    'fail app-custom-domain azurerm_container_app_custom_domain.second: the binding SniEnabled needs a certificate: declare certificateId',
    'fail app-domain-unique azurerm_container_app_custom_domain.second: "inside" already has the domain A.example.com',
  ]);
});

it('judges a domain whose app is elsewhere by itself', async () => {
  const findings = await check(undefined, [
    domain('first', { name: 'a.example.com', container_app_id: idOf('one') }),
    domain('second', { name: 'a.example.com', container_app_id: idOf('two') }),
  ]);
  expect(
    findings.map(({ verdict, ruleId, terraformAddress }) => [verdict, ruleId, terraformAddress]),
  ).toEqual([['fail', 'app-domain-unique', 'azurerm_container_app_custom_domain.second']]);
});

it('judges domains in the body of an azapi_resource', async () => {
  const body = (external: boolean, customDomains: readonly object[]) => ({
    type: 'Microsoft.App/containerApps@2025-07-01',
    parent_id: group,
    body: {
      properties: {
        configuration: { ingress: { external, targetPort: 80, customDomains } },
        template: { containers: [{ name: 'shop', image: 'shop:1' }] },
      },
    },
  });
  const findings = await check(undefined, [
    change('azapi_resource', 'inside', {
      name: 'inside',
      ...body(false, [{ name: 'a.example.com', bindingType: 'SniEnabled' }]),
    }),
    change('azapi_resource', 'outside', {
      name: 'outside',
      ...body(true, [
        { name: 'a.example.com', bindingType: 'Auto' },
        { name: 'b.example.com', certificateId: '/x', bindingType: 'SniEnabled' },
      ]),
    }),
  ]);
  expect(domainLines(findings)).toEqual([
    'fail app-custom-domain azapi_resource.inside: the app has domains, but is not reached from outside: write ingress: { external = true }',
    'fail app-custom-domain azapi_resource.inside: the binding SniEnabled needs a certificate: declare certificateId',
    'fail app-domain-unique azapi_resource.outside: "inside" already has the domain a.example.com',
  ]);
});
