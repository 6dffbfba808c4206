import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '../../../constructs/index.js';
import { synthesized } from '../../../constructs/testing/index.js';
import { Shop } from '../../../examples/patterns/main.js';
import { useSeededServices } from '../../provider/support/seeded-services.js';

const seed = `users:
  - { id: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, userPrincipalName: ada@contoso.example, displayName: Ada, mailNickname: ada }
  - { id: 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071, userPrincipalName: grace@contoso.example, displayName: Grace, mailNickname: grace }
capacities:
  - { id: 0b9d0c1e-0000-4222-8333-444455556666, displayName: events, sku: F2, region: West Europe }
`;
const deployed = useSeededServices(['directory', 'items', 'resource-manager'], seed);

test('the example of the patterns is deployed, planned without a change, and destroyed', async () => {
  const { controlPlane, workspace } = deployed;
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-patterns-'));
  const json = synthesized(new Shop(new App({ outdir })));
  const template = readFileSync(join(outdir, 'stacks/shop/definition.tmpl'), 'utf8');
  await workspace.write(json, { 'definition.tmpl': template });
  await workspace.succeed('init');
  await workspace.succeed('apply', '-auto-approve');
  expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');

  const state = Object.entries(await workspace.state());
  const resourcesOf = (type: string) => state.filter(([address]) => address.startsWith(`${type}.`));
  expect(resourcesOf('azuread_group').map(([, values]) => values['display_name'])).toEqual(
    expect.arrayContaining(['Shop users', 'Analysts members', 'Analysts readers']),
  );
  expect(resourcesOf('fabric_workspace_role_assignment')).toHaveLength(2);
  expect(resourcesOf('fabric_eventstream')).toHaveLength(1);
  const [[, app] = []] = resourcesOf('azurerm_container_app');
  const { properties } = await controlPlane.resourceManager.containerApps.get(String(app?.['id']));
  expect(properties).toMatchObject({ provisioningState: 'Succeeded' });
  expect(await workspace.succeed('destroy', '-auto-approve')).toContain('destroyed');
});
