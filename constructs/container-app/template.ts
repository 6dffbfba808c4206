import type {
  ContainerAppIngress,
  ContainerAppRegistry,
  ContainerAppTemplate,
  ContainerAppTemplateContainer,
} from '@cdktf/provider-azurerm/lib/container-app';
import { containerApp, registrySecretName } from '../../kinds/container-app/container-app.js';
import {
  consumptionSizes,
  cpu as cores,
  probes as probeKinds,
} from '../../kinds/container-app/container.js';
import { ingress as ingressKind } from '../../kinds/container-app/ingress.js';
import type { ContainerAppDeclaration } from '../generated/props.js';
import { toPrebuiltBindingConfig } from '../internal/binding-config.js';
import { Op, Token } from '../internal/cdktf.js';
import { escapeInterpolation } from '../internal/interpolation.js';

import type { AppSecrets } from './app-secrets.js';

type AppDeclaration = Omit<ContainerAppDeclaration, 'auth' | 'environment'>;

/** A container beside the app's own, in each of its replicas. */
export type AdditionalContainer = NonNullable<ContainerAppDeclaration['containers']>[string];

const resourceType = 'azurerm_container_app';
const defaultTargetPort = 80;

/**
 * The properties of an app as attributes of its resource.
 *
 * @param blockPrefix the block whose attributes are returned: `template.0.`
 */
export function containerAppConfig<Config>(
  declared: Partial<AppDeclaration>,
  blockPrefix = '',
): Config {
  return toPrebuiltBindingConfig<Config>(
    containerApp.properties,
    resourceType,
    declared,
    blockPrefix,
  );
}

/** The container, its replicas, and the scale rules. */
export function templateConfig(name: string, props: AppDeclaration): ContainerAppTemplate {
  const { concurrentRequests } = props.replicas ?? {};
  return {
    ...containerAppConfig<ContainerAppTemplate>(props, 'template.0.'),
    container: [
      containerConfig(name, props),
      ...containerConfigs(props.targetPort, props.containers),
    ],
    httpScaleRule:
      concurrentRequests === undefined
        ? undefined
        : [{ name: 'concurrent-requests', concurrentRequests: String(concurrentRequests) }],
  };
}

/** The containers beside the app's own. */
export function containerConfigs(
  targetPort: number | undefined,
  containers: AppDeclaration['containers'] = {},
): ContainerAppTemplateContainer[] {
  return Object.entries(containers).map(([name, container]) =>
    containerConfig(name, { targetPort, ...container }),
  );
}

/** One container of an app, with its name. */
function containerConfig(name: string, props: AppDeclaration): ContainerAppTemplateContainer {
  const {
    targetPort: port = defaultTargetPort,
    cpu = cores.default,
    memory = memoryFor(cpu),
    probes = {},
  } = props;
  const probeBlocks = Object.entries(probes).map(([kind, probe]) => {
    const { properties } = probeKinds().properties[kind as keyof typeof probes];
    return [
      `${kind}Probe`,
      [
        toPrebuiltBindingConfig(properties, resourceType, {
          ...probe,
          transport: probe.transport ?? 'http',
          port: probe.port ?? port,
        }),
      ],
    ];
  });
  const config = containerAppConfig<Pick<ContainerAppTemplateContainer, 'image'>>(
    { ...props, probes: {} },
    'template.0.container.0.',
  );
  return {
    ...config,
    name: escapeInterpolation(name),
    cpu,
    memory,
    ...Object.fromEntries(probeBlocks),
  };
}

/** The memory that the cloud requires for a number of cores, which may be known only at apply. */
function memoryFor(cpu: number): `${number}Gi` {
  const { gibibytesPerCore } = consumptionSizes;
  const gibibytes = Token.isUnresolved(cpu)
    ? Token.asString(Op.mul(cpu, gibibytesPerCore))
    : cpu * gibibytesPerCore;
  return `${gibibytes as number}Gi`;
}

/**
 * The ingress of an app: by default plain HTTP is refused, and the newest revision gets all
 * requests.
 */
export function ingressConfig(
  props: Pick<ContainerAppDeclaration, 'ingress' | 'targetPort' | 'revision'>,
): ContainerAppIngress {
  const { ingress, targetPort = defaultTargetPort, revision } = props;
  const traffic = revision?.traffic?.map((each) => ({
    ...each,
    latest: each.latest ?? each.revision === undefined,
  }));
  return {
    externalEnabled: false,
    allowInsecureConnections: false,
    ...toPrebuiltBindingConfig(ingressKind().properties, resourceType, ingress),
    ...containerAppConfig<Pick<ContainerAppIngress, 'targetPort' | 'trafficWeight'>>(
      { targetPort, revision: { traffic: traffic ?? [{ latest: true, weight: 100 }] } },
      'ingress.0.',
    ),
  };
}

/** The block of a registry of images; its password becomes a secret of the app. */
export function registryConfig(
  { server, username, password, identity }: NonNullable<AppDeclaration['registries']>[number],
  index: number,
  secrets: AppSecrets,
): ContainerAppRegistry {
  const secretName = registrySecretName(
    Token.isUnresolved(server) ? `registry-${index + 1}` : server,
  );
  return {
    server: escapeInterpolation(server),
    username: username === undefined ? undefined : escapeInterpolation(username),
    passwordSecretName: password === undefined ? undefined : secrets.add(secretName, password),
    identity: identity === 'system' ? 'System' : identity,
  };
}
