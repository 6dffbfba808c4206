import { LogAnalyticsWorkspace } from '@cdktf/provider-azurerm/lib/log-analytics-workspace';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { Subnet } from '@cdktf/provider-azurerm/lib/subnet';
import { VirtualNetwork } from '@cdktf/provider-azurerm/lib/virtual-network';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  ContainerApp,
  ContainerAppEnvironment,
} from '../../../constructs/index.js';
import { synthesized } from '../../../constructs/testing/index.js';
import { type ControlPlane, startControlPlane } from '../../provider/support/control-plane.js';
import { createWorkspace, type Workspace } from '../../provider/support/terraform.js';

interface Variant {
  readonly machines: number;
  readonly domains: readonly string[];
}

/** An environment in a network, with machines and logs of its own, and an app on them. */
class NetworkedAppStack extends CastellanStack {
  constructor(app: App, { machines, domains }: Variant) {
    super(app, 'apart', { azure: { location: 'westeurope' } });
    const group = new ResourceGroup(this, 'rg', { name: 'rg-apart', location: 'westeurope' });
    const place = { resourceGroupName: group.name, location: group.location };
    const network = new VirtualNetwork(this, 'net', {
      ...place,
      name: 'net',
      addressSpace: ['10.0.0.0/16'],
    });
    const subnet = new Subnet(this, 'apps', {
      resourceGroupName: group.name,
      name: 'apps',
      virtualNetworkName: network.name,
      addressPrefixes: ['10.0.0.0/23'],
    });
    const logs = new LogAnalyticsWorkspace(this, 'shared', { ...place, name: 'logs-shared' });
    const environment = new ContainerAppEnvironment(this, 'apart', {
      resourceGroup: group,
      subnet: subnet.id,
      internal: true,
      zoneRedundant: true,
      workloadProfiles: [{ name: 'large', type: 'D4', min: 1, max: machines }],
      logs: { workspaceId: logs.id },
    });
    const web = new ContainerApp(this, 'web', {
      image: 'ghcr.io/contoso/web:1.0.0',
      targetPort: 8080,
      ingress: { external: true },
      environment,
      workloadProfile: 'large',
    });
    web.addContainer('cache', { image: 'ghcr.io/contoso/cache:3.1', cpu: 0.25, memory: '0.5Gi' });
    for (const domain of domains) web.addCustomDomain(domain);
  }
}

let controlPlane: ControlPlane;
let workspace: Workspace;
beforeAll(async () => {
  controlPlane = await startControlPlane({ services: ['resource-manager'] });
  workspace = await createWorkspace(controlPlane.env);
});
afterAll(async () => {
  await workspace.remove();
  await controlPlane.close();
});

async function writeStack(variant: Variant): Promise<void> {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-apart-'));
  try {
    await workspace.write(synthesized(new NetworkedAppStack(new App({ outdir }), variant)));
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

const expectNoChanges = async (): Promise<void> => {
  expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
};

test('an environment in a network, and an app with domains and a further container, are deployed, changed and destroyed', async () => {
  await writeStack({ machines: 2, domains: ['shop.contoso.example', 'www.contoso.example'] });
  await workspace.succeed('init');
  expect(await workspace.succeed('apply', '-auto-approve')).toContain('8 added');
  await expectNoChanges();
  const state = await workspace.state();
  const environmentId = String(state['azurerm_container_app_environment.apart']?.['id']);
  const { properties } = await controlPlane.resourceManager.managedEnvironments.get(environmentId);
  expect(properties).toMatchObject({
    vnetConfiguration: {
      internal: true,
      infrastructureSubnetId: state['azurerm_subnet.apps']?.['id'],
    },
    zoneRedundant: true,
    appLogsConfiguration: { destination: 'log-analytics' },
  });
  const app = await controlPlane.resourceManager.containerApps.get(
    String(state['azurerm_container_app.web']?.['id']),
  );
  expect(app.properties).toMatchObject({
    workloadProfileName: 'large',
    template: { containers: [{ name: 'web' }, { name: 'cache' }] },
    configuration: { ingress: { customDomains: [{}, {}] } },
  });

  await writeStack({ machines: 3, domains: ['shop.contoso.example'] });
  expect(await workspace.succeed('apply', '-auto-approve')).toContain(
    '0 added, 1 changed, 1 destroyed',
  );
  await expectNoChanges();
  expect(await workspace.succeed('destroy', '-auto-approve')).toContain('7 destroyed');
});
