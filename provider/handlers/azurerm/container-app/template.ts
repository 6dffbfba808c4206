import type { Value, ValueMap } from '../../../values/value.js';
import { blocks, defined, given, mustText, number, object, objects, oneBlock, type Raw, text, texts } from '../../read-values.js';
import { expandScale, flattenScale } from './scale.js';

/** The template of an app as it is sent. The revision suffix goes along only where it changes: the service keeps the last one. */
export function expandTemplate(planned: ValueMap, prior: ValueMap | undefined): Raw {
  const template = oneBlock(planned, 'template');
  const [suffix, before] = [text(template, 'revision_suffix'), text(oneBlock(prior, 'template'), 'revision_suffix')];
  return defined({
    containers: blocks(template, 'container').map((each) => ({ ...expandContainer(each), probes: expandProbes(each) })),
    initContainers: blocks(template, 'init_container').map(expandContainer),
    revisionSuffix: suffix === before ? undefined : suffix,
    scale: expandScale(template ?? {}),
    terminationGracePeriodSeconds: number(template, 'termination_grace_period_seconds') || undefined,
    volumes: blocks(template, 'volume').map((each) =>
      defined({
        name: mustText(each, 'name'),
        storageName: text(each, 'storage_name'),
        storageType: text(each, 'storage_type') ?? 'EmptyDir',
        mountOptions: text(each, 'mount_options'),
      }),
    ),
  });
}

function expandContainer(container: ValueMap): Raw {
  const cpu = number(container, 'cpu');
  const memory = text(container, 'memory');
  return defined({
    name: mustText(container, 'name'),
    image: mustText(container, 'image'),
    args: texts(container, 'args').length === 0 ? undefined : texts(container, 'args'),
    command: texts(container, 'command').length === 0 ? undefined : texts(container, 'command'),
    env: blocks(container, 'env').map((each) => {
      const secretRef = text(each, 'secret_name');
      return secretRef === undefined
        ? { name: mustText(each, 'name'), value: mustText(each, 'value') }
        : { name: mustText(each, 'name'), secretRef };
    }),
    resources: cpu === undefined && memory === undefined ? undefined : defined({ cpu, memory }),
    volumeMounts: blocks(container, 'volume_mounts').map((each) =>
      defined({ volumeName: mustText(each, 'name'), mountPath: mustText(each, 'path'), subPath: text(each, 'sub_path') }),
    ),
  });
}

/** The `template` block of what the service has. */
export function flattenTemplate(template: Raw): Value {
  return [
    {
      container: objects(template, 'containers').map((each) => ({ ...flattenContainer(each), ...flattenProbes(each) })),
      init_container: objects(template, 'initContainers').map(flattenContainer),
      revision_suffix: given(template, 'revisionSuffix') ?? '',
      termination_grace_period_seconds: given(template, 'terminationGracePeriodSeconds') ?? 0,
      volume: objects(template, 'volumes').map((each) => ({
        name: given(each, 'name'),
        storage_name: given(each, 'storageName'),
        storage_type: given(each, 'storageType') ?? 'EmptyDir',
        mount_options: given(each, 'mountOptions'),
      })),
      ...flattenScale(object(template, 'scale')),
    },
  ];
}

function flattenContainer(container: Raw): ValueMap {
  const resources = object(container, 'resources');
  return {
    name: given(container, 'name'),
    image: given(container, 'image'),
    args: given(container, 'args'),
    command: given(container, 'command'),
    cpu: given(resources, 'cpu'),
    memory: given(resources, 'memory'),
    ephemeral_storage: given(resources, 'ephemeralStorage') ?? '',
    env: objects(container, 'env').map((each) => ({
      name: given(each, 'name'),
      secret_name: given(each, 'secretRef'),
      value: given(each, 'value'),
    })),
    volume_mounts: objects(container, 'volumeMounts').map((each) => ({
      name: given(each, 'volumeName'),
      path: given(each, 'mountPath'),
      sub_path: given(each, 'subPath'),
    })),
  };
}

const kinds = { liveness_probe: 'Liveness', readiness_probe: 'Readiness', startup_probe: 'Startup' } as const;
type ProbeBlock = keyof typeof kinds;

/** The probes of a container as they are sent. Two blocks of one kind send none of it, as the official provider does. */
function expandProbes(container: ValueMap): Raw[] {
  return (Object.keys(kinds) as ProbeBlock[]).flatMap((name) => {
    const [probe, ...more] = blocks(container, name);
    return probe === undefined || more.length > 0 ? [] : [expandProbe(probe, kinds[name])];
  });
}

function expandProbe(probe: ValueMap, type: string): Raw {
  const transport = mustText(probe, 'transport').toUpperCase();
  const [port, host] = [number(probe, 'port'), text(probe, 'host')];
  const headers = blocks(probe, 'header').map((each) => ({ name: mustText(each, 'name'), value: mustText(each, 'value') }));
  const request =
    transport === 'TCP'
      ? { tcpSocket: defined({ port, host }) }
      : {
          httpGet: defined({
            scheme: transport,
            port,
            host,
            path: text(probe, 'path') ?? '/',
            httpHeaders: headers.length === 0 ? undefined : headers,
          }),
        };
  return defined({
    type,
    ...request,
    failureThreshold: number(probe, 'failure_count_threshold'),
    initialDelaySeconds: number(probe, 'initial_delay'),
    periodSeconds: number(probe, 'interval_seconds'),
    successThreshold: number(probe, 'success_count_threshold'),
    timeoutSeconds: number(probe, 'timeout'),
  });
}

/** The probe blocks of one container of what the service has. */
function flattenProbes(container: Raw): ValueMap {
  const probes = objects(container, 'probes');
  const entries = (Object.keys(kinds) as ProbeBlock[]).map((name): [string, Value] => [
    name,
    probes.filter((each) => each['type'] === kinds[name]).map((each) => flattenProbe(each, name)),
  ]);
  return Object.fromEntries(entries);
}

function flattenProbe(probe: Raw, name: ProbeBlock): ValueMap {
  const isTcp = typeof probe['tcpSocket'] === 'object' && probe['tcpSocket'] !== null;
  const request = object(probe, isTcp ? 'tcpSocket' : 'httpGet');
  return {
    failure_count_threshold: given(probe, 'failureThreshold'),
    header: objects(request, 'httpHeaders').map((each) => ({ name: given(each, 'name'), value: given(each, 'value') })),
    host: given(request, 'host'),
    initial_delay: given(probe, 'initialDelaySeconds'),
    interval_seconds: given(probe, 'periodSeconds'),
    path: isTcp ? '' : given(request, 'path'),
    port: given(request, 'port'),
    timeout: given(probe, 'timeoutSeconds'),
    transport: isTcp ? 'TCP' : (given(request, 'scheme') ?? 'HTTP'),
    ...(name === 'readiness_probe'
      ? { success_count_threshold: given(probe, 'successThreshold') }
      : { termination_grace_period_seconds: given(probe, 'terminationGracePeriodSeconds') ?? 0 }),
  };
}
