/**
 * An example of each section of castellan.yaml for its reference page: together they are a
 * configuration that has no errors.
 */
export const referenceExamples: Readonly<Record<string, string>> = {
  settings: `version: 1
stack: shop
azure: { location: westeurope, resourceGroup: rg-shop }
backend:
  azurerm: { storageAccountName: contosostate, containerName: states, key: "shop-\${castellan.environment}.tfstate" }
`,
  principals: `principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
`,
  registrations: `registrations:
  shop-login:
    displayName: Shop sign-in
    owners: [ada, grace]
    secret: { rotation: "2027" }    # another word makes a new secret
`,
  environments: `environments:
  shop: { logs: { retentionInDays: 30 } }
`,
  containerApps: `containerApps:
  shop:
    environment: shop
    image: ghcr.io/contoso/shop:1.0.0
    targetPort: 8080
    replicas: { min: 1, max: 1 }
    ingress: { external: true, allowInsecure: false }
    auth:
      unauthenticatedAction: redirectToLogin
      redirectTo: directory
      excludedPaths: [/healthz]
      providers:
        directory: { registration: shop-login, allowedGroups: [shoppers] }
`,
  groups: `groups:
  shoppers:
    kind: security
    displayName: Shoppers
    description: Who may sign in to the shop
    mailNickname: shoppers
    owners: [ada, grace]
    dynamicMembership: { rule: 'user.department -eq "Retail"' }
`,
  workspaces: `workspaces:
  telemetry: { displayName: Telemetry, capacityId: 11111111-2222-4333-8444-555555555555 }
`,
  eventhouses: `eventhouses:
  clickstore: { workspace: telemetry, displayName: clickstore, minimumConsumptionUnits: 4.25 }
`,
  eventstreams: `eventstreams:
  clicks:
    workspace: telemetry
    displayName: clicks
    definition:
      sources: [{ name: web, type: CustomEndpoint }]
      destinations: [{ name: store, type: Eventhouse, eventhouse: clickstore, inputNodes: [web] }]
`,
};
