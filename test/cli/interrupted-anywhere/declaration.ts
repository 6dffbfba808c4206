/**
 * A stack with something of every service, and an app behind sign-in that needs no container
 * engine.
 */
export const declaration = `version: 1
stack: small
azure: { location: westeurope, resourceGroup: rg-small, tenantId: "\${env:ARM_TENANT_ID}", subscriptionId: "\${env:ARM_SUBSCRIPTION_ID}" }
principals:
  ada: { user: ada@contoso.example }
registrations:
  login: { displayName: Small sign-in }
containerApps:
  shop:
    image: ghcr.io/contoso/shop:1.0.0
    targetPort: 8080
    ingress: { external: true, allowInsecure: false }
    auth:
      restrictAccess: requireAuthentication
      unauthenticatedAction: redirectToLogin
      redirectTo: directory
      providers:
        directory: { registration: login, allowedGroups: [readers] }
    sandbox: { page: true }
groups:
  readers: { kind: security, displayName: Readers, mailNickname: readers, members: [ada] }
  writers: { kind: security, displayName: Writers, mailNickname: writers }
workspaces:
  telemetry: { displayName: Telemetry }
eventhouses:
  store: { workspace: telemetry, displayName: store }
`;
