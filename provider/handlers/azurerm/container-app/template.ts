import type { Value, ValueMap } from '../../../values/value.js';
import type { Raw } from '../../read-values.js';
import { blocks, defined, given, mustText, number, object, objects, oneBlock, text, texts } from '../../read-values.js';
import { expandProbes, flattenProbes } from './probes.js';
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
