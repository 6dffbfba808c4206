import type { ContainerAppIngress, ContainerAppIngressTrafficWeight } from '@cdktf/provider-azurerm/lib/container-app';
import type { ContainerAppDeclaration } from '../generated/declarations.js';
import { literalData, literalText, optionalText } from '../internal/literal-text.js';

const defaultPort = 80;

/** Which requests reach an app: plain HTTP is refused, and the newest revision gets all of them, unless declared otherwise. */
export function ingressConfig(props: Pick<ContainerAppDeclaration, 'ingress' | 'targetPort' | 'revision'>): ContainerAppIngress {
  const { ingress = {}, targetPort = defaultPort, revision } = props;
  return {
    externalEnabled: ingress.external ?? false,
    allowInsecureConnections: ingress.allowInsecure ?? false,
    targetPort,
    transport: ingress.transport,
    exposedPort: ingress.exposedPort,
    clientCertificateMode: ingress.clientCertificateMode,
    ipSecurityRestriction: ingress.ipRestrictions?.map(({ name, description, action, range }) => ({
      name: literalText(name),
      description: optionalText(description),
      action: { allow: 'Allow', deny: 'Deny' }[action] ?? action,
      ipAddressRange: range,
    })),
    cors: ingress.cors === undefined ? undefined : corsConfig(ingress.cors),
    trafficWeight: trafficConfig(revision?.traffic),
  };
}

function corsConfig(cors: NonNullable<NonNullable<ContainerAppDeclaration['ingress']>['cors']>) {
  const { allowCredentials, allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders, maxAgeInSeconds } = cors;
  return {
    allowCredentialsEnabled: allowCredentials,
    allowedOrigins: literalData([...allowedOrigins]),
    allowedMethods: copied(allowedMethods),
    allowedHeaders: copied(allowedHeaders),
    exposedHeaders: copied(exposedHeaders),
    maxAgeInSeconds,
  };
}

function trafficConfig(traffic: NonNullable<ContainerAppDeclaration['revision']>['traffic']): ContainerAppIngressTrafficWeight[] {
  if (traffic === undefined) return [{ latestRevision: true, percentage: 100 }];
  return traffic.map(({ latest, revision, weight, label }) => ({
    latestRevision: latest ?? revision === undefined,
    revisionSuffix: revision,
    percentage: weight,
    label,
  }));
}

function copied(items: readonly string[] | undefined): string[] | undefined {
  return items === undefined ? undefined : literalData([...items]);
}
