import { resolve } from 'node:path';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../settings.js';
import type { Probe } from './probe.js';
import type { ContainerSpec, WorkloadSpec } from './workload.js';

type ProbeNumber =
  | 'initialDelaySeconds'
  | 'periodSeconds'
  | 'timeoutSeconds'
  | 'failureThreshold'
  | 'successThreshold';

interface DeclaredProbe extends Partial<Readonly<Record<ProbeNumber, number | null>>> {
  readonly type?: string | null;
  readonly httpGet?: DeclaredHttpGet | null;
  readonly tcpSocket?: { readonly port?: number } | null;
}

interface DeclaredHttpGet {
  readonly port?: number;
  readonly path?: string | null;
  readonly scheme?: string | null;
  readonly host?: string | null;
  readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[] | null;
}

/** A container of a template, as the API has it. */
interface DeclaredContainer {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[] | null;
  readonly args?: readonly string[] | null;
  readonly env?:
    | readonly {
        readonly name: string;
        readonly value?: string | null;
        readonly secretRef?: string | null;
      }[]
    | null;
  readonly resources?: { readonly cpu?: number | null; readonly memory?: string | null } | null;
  readonly probes?: readonly DeclaredProbe[] | null;
  readonly volumeMounts?:
    readonly { readonly volumeName: string; readonly mountPath: string }[] | null;
}

/** The template of a revision, as the API has it. */
interface DeclaredTemplate {
  readonly containers?: readonly DeclaredContainer[];
  readonly initContainers?: readonly DeclaredContainer[] | null;
  readonly volumes?: readonly { readonly name: string }[] | null;
  readonly terminationGracePeriodSeconds?: number | null;
}

/** The `configuration` of an app, as the API has it. */
interface Configuration {
  readonly ingress?: { readonly targetPort?: number } | null;
  readonly registries?:
    | readonly {
        readonly server: string;
        readonly username?: string | null;
        readonly passwordSecretRef?: string | null;
      }[]
    | null;
}

/**
 * How many seconds a container may take to end: by default, and at most, so that stopping a sandbox
 * takes limited time.
 */
const graceSeconds = { default: 5, max: 10 };

/**
 * The specification of a revision's replicas, from its template and the sandbox's settings for the
 * app, with secrets resolved.
 */
export function workloadSpec(
  { name, properties, secrets }: DeclaredApp,
  revision: { readonly name: string; readonly template: object },
  settings: AppSettings,
  projectDir: string,
): WorkloadSpec {
  const { ingress, registries } = (properties['configuration'] ?? {}) as Configuration;
  const {
    containers = [],
    initContainers,
    volumes,
    terminationGracePeriodSeconds,
  } = revision.template as DeclaredTemplate;
  const targetPort = ingress?.targetPort || 80;
  const secretValue = (reference: string | null | undefined): string | undefined =>
    secrets.find((each) => each.name === reference)?.value;
  const containerSpec = (container: DeclaredContainer, index: number): ContainerSpec => ({
    name: container.name ?? `container-${index}`,
    image: container.image ?? '',
    command: container.command ?? [],
    args: container.args ?? [],
    env: Object.fromEntries(
      (container.env ?? []).map((each) => [
        each.name,
        secretValue(each.secretRef) ?? each.value ?? '',
      ]),
    ),
    cpu: container.resources?.cpu ?? undefined,
    memory: bytesOf(container.resources?.memory),
    mounts: (container.volumeMounts ?? []).map(({ volumeName, mountPath }) => ({
      volume: volumeName,
      path: mountPath,
    })),
    probes: probesOf(container, index === 0 && ingress != null ? targetPort : undefined),
  });
  const [main, ...otherContainers] = containers.map(containerSpec);
  const env = { ...main?.env, ...settings.env };
  return {
    app: name,
    revision: revision.name,
    targetPort,
    env,
    ...omitUndefined({ command: settings.command }),
    workingDirectory: resolve(projectDir, settings.workingDirectory ?? '.'),
    showsRequestPage: settings.page ?? false,
    initContainers: (initContainers ?? []).map((each, index) => ({
      ...containerSpec(each, index),
      probes: {},
    })),
    containers:
      main === undefined
        ? []
        : [{ ...main, env, image: settings.image ?? main.image }, ...otherContainers],
    volumes: (volumes ?? []).map((volume) => volume.name),
    registries: (registries ?? []).flatMap(({ server, username, passwordSecretRef }) => {
      const password = secretValue(passwordSecretRef);
      return username == null || password === undefined ? [] : [{ server, username, password }];
    }),
    graceSeconds: Math.min(terminationGracePeriodSeconds || graceSeconds.default, graceSeconds.max),
  };
}

function bytesOf(memory: string | null | undefined): number | undefined {
  const gibibytes = /^([\d.]+)Gi$/.exec(memory ?? '')?.[1];
  return gibibytes === undefined ? undefined : Math.round(Number(gibibytes) * 1024 ** 3);
}

/**
 * The probes of a container. As on the platform, a container that gets requests has started once
 * its port accepts connections, unless it declares a startup probe.
 */
function probesOf(
  { probes }: DeclaredContainer,
  ingressPort: number | undefined,
): ContainerSpec['probes'] {
  const findProbe = (type: string): Probe | undefined => {
    const probe = probes?.find((each) => each.type?.toLowerCase() === type);
    return probe === undefined ? undefined : probeOf(probe);
  };
  return omitUndefined({
    startup:
      findProbe('startup') ??
      (ingressPort === undefined ? undefined : defaultStartupProbe(ingressPort)),
    readiness: findProbe('readiness'),
    liveness: findProbe('liveness'),
  });
}

/** The platform's own startup probe of a container with ingress: four minutes, once a second. */
function defaultStartupProbe(port: number): Probe {
  const times = {
    initialDelayMs: 0,
    periodMs: 1_000,
    timeoutMs: 3_000,
    failureThreshold: 240,
    successThreshold: 1,
  };
  return { port, transport: 'tcp', path: '/', headers: {}, ...times };
}

/** A declared probe with Kubernetes' defaults. */
function probeOf({ httpGet, tcpSocket, ...times }: DeclaredProbe): Probe {
  const scheme = (httpGet?.scheme ?? 'http').toLowerCase();
  const headers = Object.fromEntries(
    (httpGet?.httpHeaders ?? []).map(({ name, value }) => [name, value]),
  );
  return {
    port: httpGet?.port || tcpSocket?.port || 80,
    transport: httpGet == null ? 'tcp' : scheme === 'https' ? 'https' : 'http',
    path: httpGet?.path || '/',
    headers: { ...(httpGet?.host && { host: httpGet.host }), ...headers },
    // 0, which the official provider sends, means the default
    initialDelayMs: (times.initialDelaySeconds || 0) * 1_000,
    periodMs: (times.periodSeconds || 10) * 1_000,
    timeoutMs: (times.timeoutSeconds || 1) * 1_000,
    failureThreshold: times.failureThreshold || 3,
    successThreshold: times.successThreshold || 1,
  };
}
