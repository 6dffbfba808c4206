import type {
  ContainerAppTemplate,
  ContainerAppTemplateContainer,
  ContainerAppTemplateContainerEnv,
} from '@cdktf/provider-azurerm/lib/container-app';
import type { ContainerAppDeclaration } from '../generated/props.js';
import { literalData, literalText } from '../internal/literal-text.js';

type Probe = NonNullable<NonNullable<ContainerAppDeclaration['probes']>['readiness']>;

const defaultCpu = 0.25;
const gibibytesPerCore = 2;
const defaultPort = 80;

/** What runs: one container, how many replicas of it, and when there are more of them. */
export function templateConfig(name: string, props: Omit<ContainerAppDeclaration, 'auth' | 'environment'>): ContainerAppTemplate {
  const { replicas = {}, revision, terminationGracePeriodSeconds } = props;
  return {
    container: [containerConfig(name, props)],
    minReplicas: replicas.min,
    maxReplicas: replicas.max,
    cooldownPeriodInSeconds: replicas.cooldownSeconds,
    pollingIntervalInSeconds: replicas.pollingSeconds,
    revisionSuffix: revision?.suffix,
    terminationGracePeriodSeconds,
    httpScaleRule:
      replicas.concurrentRequests === undefined
        ? undefined
        : [{ name: 'concurrent-requests', concurrentRequests: String(replicas.concurrentRequests) }],
  };
}

function containerConfig(name: string, props: Omit<ContainerAppDeclaration, 'auth' | 'environment'>): ContainerAppTemplateContainer {
  const { image, command, args, env, probes, targetPort = defaultPort, cpu = defaultCpu } = props;
  return {
    name: literalText(name),
    image: literalText(image),
    cpu,
    memory: props.memory ?? `${cpu * gibibytesPerCore}Gi`,
    command: command === undefined ? undefined : literalData([...command]),
    args: args === undefined ? undefined : literalData([...args]),
    env: env === undefined ? undefined : Object.entries(env).map(variableConfig),
    livenessProbe: probes?.liveness === undefined ? undefined : [probeConfig(probes.liveness, targetPort)],
    readinessProbe:
      probes?.readiness === undefined
        ? undefined
        : [{ ...probeConfig(probes.readiness, targetPort), successCountThreshold: probes.readiness.successThreshold }],
    startupProbe: probes?.startup === undefined ? undefined : [probeConfig(probes.startup, targetPort)],
  };
}

function variableConfig([name, value]: [string, string | { readonly secret: string }]): ContainerAppTemplateContainerEnv {
  return typeof value === 'string' ? { name, value: literalText(value) } : { name, secretName: value.secret };
}

function probeConfig(probe: Probe, targetPort: number) {
  return {
    transport: (probe.transport ?? 'http').toUpperCase(),
    port: probe.port ?? targetPort,
    path: probe.path,
    host: probe.host,
    header: probe.headers === undefined ? undefined : Object.entries(literalData(probe.headers)).map(([name, value]) => ({ name, value })),
    initialDelay: probe.initialDelaySeconds,
    intervalSeconds: probe.periodSeconds,
    timeout: probe.timeoutSeconds,
    failureCountThreshold: probe.failureThreshold,
  };
}
