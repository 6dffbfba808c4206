import type { Value, ValueMap } from '../../../values/value.js';
import { blocks, defined, flag, given, mustText, number, object, objects, oneBlock, type Raw, text, texts } from '../../read-values.js';

/** The ingress of an app as it is sent; undefined (the key is left out) where there is none. Custom domains are others' to set: they stay. */
export function expandIngress(planned: ValueMap, appName: string, existing: Raw): Raw | undefined {
  const ingress = oneBlock(planned, 'ingress');
  if (ingress === undefined) return undefined;
  const customDomains = existing['customDomains'];
  return defined({
    allowInsecure: flag(ingress, 'allow_insecure_connections'),
    clientCertificateMode: text(ingress, 'client_certificate_mode'),
    corsPolicy: expandCors(oneBlock(ingress, 'cors')),
    customDomains: customDomains ?? undefined,
    exposedPort: number(ingress, 'exposed_port') ?? 0,
    external: flag(ingress, 'external_enabled'),
    ipSecurityRestrictions: blocks(ingress, 'ip_security_restriction').map((each) =>
      defined({
        name: mustText(each, 'name'),
        action: mustText(each, 'action'),
        ipAddressRange: mustText(each, 'ip_address_range'),
        description: text(each, 'description'),
      }),
    ),
    targetPort: number(ingress, 'target_port'),
    traffic: blocks(ingress, 'traffic_weight').map((each) => {
      const suffix = text(each, 'revision_suffix');
      const revisionName = suffix === undefined ? undefined : `${appName}--${suffix}`;
      return defined({
        latestRevision: flag(each, 'latest_revision'),
        weight: number(each, 'percentage') ?? 0,
        label: text(each, 'label'),
        revisionName,
      });
    }),
    transport: text(ingress, 'transport') ?? 'auto',
  });
}

function expandCors(cors: ValueMap | undefined): Raw | undefined {
  if (cors === undefined) return undefined;
  return defined({
    allowCredentials: flag(cors, 'allow_credentials_enabled'),
    allowedHeaders: texts(cors, 'allowed_headers'),
    allowedMethods: texts(cors, 'allowed_methods'),
    allowedOrigins: texts(cors, 'allowed_origins'),
    exposeHeaders: texts(cors, 'exposed_headers'),
    maxAge: number(cors, 'max_age_in_seconds'),
  });
}

/** The `ingress` block of what the service has. */
export function flattenIngress(configuration: Raw, appName: string): Value {
  const ingress = configuration['ingress'];
  if (typeof ingress !== 'object' || ingress === null) return [];
  return [
    {
      allow_insecure_connections: given(ingress, 'allowInsecure') ?? false,
      client_certificate_mode: given(ingress, 'clientCertificateMode'),
      cors: flattenCors(object(configuration, 'ingress')['corsPolicy']),
      custom_domain: objects(ingress, 'customDomains').map((each) => ({
        name: given(each, 'name'),
        certificate_binding_type: given(each, 'bindingType'),
        certificate_id: given(each, 'certificateId'),
      })),
      exposed_port: given(ingress, 'exposedPort'),
      external_enabled: given(ingress, 'external') ?? false,
      fqdn: given(ingress, 'fqdn') ?? '',
      ip_security_restriction: objects(ingress, 'ipSecurityRestrictions').map((each) => ({
        name: given(each, 'name'),
        action: given(each, 'action'),
        ip_address_range: given(each, 'ipAddressRange'),
        description: given(each, 'description'),
      })),
      target_port: given(ingress, 'targetPort'),
      traffic_weight: objects(ingress, 'traffic').map((each) => flattenWeight(each, appName)),
      transport: String(given(ingress, 'transport') ?? 'auto').toLowerCase(),
    },
  ];
}

function flattenWeight(weight: Raw, appName: string): ValueMap {
  const revision = weight['revisionName'];
  const suffix = typeof revision === 'string' ? revision.replace(`${appName}--`, '') : null;
  return {
    label: given(weight, 'label'),
    latest_revision: given(weight, 'latestRevision') ?? false,
    percentage: given(weight, 'weight') ?? 0,
    revision_suffix: suffix,
  };
}

function flattenCors(cors: unknown): Value {
  if (typeof cors !== 'object' || cors === null) return [];
  return [
    {
      allow_credentials_enabled: given(cors, 'allowCredentials') ?? false,
      allowed_headers: given(cors, 'allowedHeaders'),
      allowed_methods: given(cors, 'allowedMethods'),
      allowed_origins: given(cors, 'allowedOrigins'),
      exposed_headers: given(cors, 'exposeHeaders'),
      max_age_in_seconds: given(cors, 'maxAge'),
    },
  ];
}
