import {
  App,
  CastellanStack,
  ContainerApp,
  Eventhouse,
  Eventstream,
  Registration,
  Secret,
  SecurityGroup,
  UnifiedGroup,
  User,
  Workspace,
} from 'castellan/constructs';

/**
 * The storefront of examples/storefront/castellan.yaml, as a program: it synthesizes to the same
 * Terraform.
 */
export class Storefront extends CastellanStack {
  constructor(app: App) {
    super(app, 'storefront', {
      azure: {
        location: 'westeurope',
        resourceGroup: 'rg-storefront',
        tenantId: process.env['ARM_TENANT_ID'],
        subscriptionId: process.env['ARM_SUBSCRIPTION_ID'],
      },
    });

    const ada = User.fromPrincipalName(this, 'ada', 'ada@contoso.example');
    const grace = User.fromPrincipalName(this, 'grace', 'grace@contoso.example');

    new SecurityGroup(this, 'storefront-admins', {
      displayName: 'Storefront administrators',
      mailNickname: 'storefront-admins',
      owners: [ada, grace],
      members: [ada],
    });
    const shoppers = new UnifiedGroup(this, 'shoppers', {
      displayName: 'Shoppers',
      mailNickname: 'shoppers',
      visibility: 'Private',
      owners: [ada, grace],
      dynamicMembership: { rule: 'user.department -eq "Retail"', processing: 'On' },
    });

    const login = new Registration(this, 'storefront-login', {
      displayName: 'Storefront sign-in',
    });
    new ContainerApp(this, 'storefront', {
      image: 'ghcr.io/contoso/storefront:1.4.2',
      targetPort: 8080,
      replicas: { min: 1, max: 3 },
      ingress: { external: true, allowInsecure: false },
      auth: {
        restrictAccess: 'requireAuthentication',
        unauthenticatedAction: 'redirectToLogin',
        redirectTo: 'directory',
        excludedPaths: ['/healthz'],
        providers: {
          directory: { registration: login, allowedGroups: [shoppers] },
          codehost: {
            clientId: 'Iv1.0a1b2c',
            clientSecret: Secret.fromEnvironment('CODEHOST_SECRET'),
          },
        },
        tokenStore: { enabled: true },
      },
    });

    const telemetry = new Workspace(this, 'telemetry', { displayName: 'Telemetry' });
    const clickstore = new Eventhouse(this, 'clickstore', {
      workspace: telemetry,
      displayName: 'clickstore',
      description: 'Click events',
      minimumConsumptionUnits: 4.25,
    });
    new Eventstream(this, 'clicks', {
      workspace: telemetry,
      displayName: 'clicks',
      definition: {
        sources: [{ name: 'web', type: 'CustomEndpoint' }],
        destinations: [
          { name: 'store', type: 'Eventhouse', eventhouse: clickstore, inputNodes: ['web'] },
        ],
      },
    });
  }
}

if (require.main === module) {
  const app = new App();
  new Storefront(app);
  app.synth();
}
