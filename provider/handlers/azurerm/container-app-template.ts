import type { TProperties } from '@sinclair/typebox';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { probes } from '../../../kinds/container-app/container.js';
import type { Value, ValueMap } from '../../values/value.js';
import {
  blocks,
  textOrEmpty,
  objectProperty,
  objectListProperty,
  type RawObject,
  optionalText,
} from '../read-values.js';
import {
  describedFields,
  expandFields,
  type BodyField,
  type BodyFields,
  flattenFields,
} from '../body-fields.js';

const { properties } = containerApp.schema;
const omittedIfUnset = { sentDefault: undefined } as const;

const { liveness, readiness, startup } = probes().properties;
const gracePeriod: BodyField = {
  bodyPath: 'terminationGracePeriodSeconds',
  readOnly: true,
  stateDefault: 0,
};

/** A probe: its request is in one of two objects of the body. */
function probe(
  { properties: probeProperties }: { readonly properties: TProperties },
  overrides: BodyFields,
): Partial<BodyField> {
  const fields = describedFields(probeProperties, {
    path: { readOnly: true },
    header: { readOnly: true },
    ...overrides,
  });
  return { fields, extraConversions: { expand: expandRequest, flatten: flattenRequest } };
}

const requestFields: BodyFields = { port: 'port', host: 'host' };
const httpFields: BodyFields = {
  ...requestFields,
  path: { bodyPath: 'path', sentDefault: '/' },
  header: {
    bodyPath: 'httpHeaders',
    fields: { name: 'name', value: { bodyPath: 'value', sentDefault: '' } },
  },
};

function expandRequest(block: ValueMap): RawObject {
  const scheme = textOrEmpty(block, 'transport').toUpperCase();
  return scheme === 'TCP'
    ? { tcpSocket: expandFields(requestFields, block) }
    : { httpGet: { scheme, ...expandFields(httpFields, block) } };
}

function flattenRequest({ tcpSocket, httpGet }: RawObject): ValueMap {
  if (typeof tcpSocket === 'object' && tcpSocket !== null)
    return { ...flattenFields(requestFields, tcpSocket), path: '', transport: 'TCP' };
  return flattenFields(
    { ...requestFields, transport: { bodyPath: 'scheme', stateDefault: 'HTTP' } },
    httpGet,
  );
}

const { liveness_probe, readiness_probe, startup_probe, ...initContainerFields } = describedFields(
  properties,
  {
    name: 'name',
    args: omittedIfUnset,
    command: omittedIfUnset,
    cpu: { ...omittedIfUnset, stateDefault: null },
    ephemeral_storage: { bodyPath: 'resources.ephemeralStorage', readOnly: true, stateDefault: '' },
    env: { extraConversions: { expand: emptyValueIfUnset } },
    volume_mounts: {
      bodyPath: 'volumeMounts',
      sentDefault: [],
      fields: { name: 'volumeName', path: 'mountPath', sub_path: 'subPath' },
    },
    liveness_probe: probe(liveness, { termination_grace_period_seconds: gracePeriod }),
    readiness_probe: probe(readiness, {}),
    startup_probe: probe(startup, { termination_grace_period_seconds: gracePeriod }),
  },
  { terraform: 'template.0.container.0.', body: 'template.containers.0.' },
);
const probeFields = { liveness_probe, readiness_probe, startup_probe } as BodyFields;

function emptyValueIfUnset(variable: ValueMap): RawObject {
  return optionalText(variable, 'secret_name') === undefined &&
    optionalText(variable, 'value') === undefined
    ? { value: '' }
    : {};
}

const authentication: BodyField = {
  bodyPath: 'auth',
  sentDefault: [],
  fields: { secret_name: 'secretRef', trigger_parameter: 'triggerParameter' },
};
const requestRuleFields: BodyFields = {
  concurrent_requests: 'metadata.concurrentRequests',
  authentication,
};

/**
 * The blocks of scale rules, which are one list in bodies: the member that distinguishes each kind
 * of rule, and its fields.
 */
const scaleRules: Readonly<Record<string, readonly [kind: string, fields: BodyFields]>> = {
  azure_queue_scale_rule: [
    'azureQueue',
    { queue_name: 'queueName', queue_length: 'queueLength', authentication },
  ],
  custom_scale_rule: [
    'custom',
    { custom_rule_type: 'type', metadata: 'metadata', identity_id: 'identity', authentication },
  ],
  http_scale_rule: ['http', requestRuleFields],
  tcp_scale_rule: ['tcp', requestRuleFields],
};

function expandScaleRules(template: ValueMap): RawObject {
  const rules = Object.entries(scaleRules).flatMap(([block, [kind, fields]]) =>
    blocks(template, block).map((rule) => ({
      name: textOrEmpty(rule, 'name'),
      [kind]: expandFields(fields, rule),
    })),
  );
  return rules.length === 0 ? {} : { 'scale.rules': rules };
}

function flattenScaleRules(template: RawObject): ValueMap {
  const rules = objectListProperty(objectProperty(template, 'scale'), 'rules');
  return Object.fromEntries(
    Object.entries(scaleRules).map(([block, [kind, fields]]): [string, Value] => {
      const rulesOfKind = rules.filter(
        (rule) => typeof rule[kind] === 'object' && rule[kind] !== null,
      );
      return [
        block,
        rulesOfKind.map((rule) => ({
          name: String(rule['name']),
          ...flattenFields(fields, rule[kind]),
        })),
      ];
    }),
  );
}

/** 0 is the service's default, which the official provider does not send. */
const omittedIfZero: Partial<BodyField> = {
  stateDefault: 0,
  toBody: (count) => (count === 0 ? undefined : count),
};

/** The block `template`. */
export const templateFields: Partial<BodyField> = {
  bodyPath: 'template',
  isSingleObject: true,
  fields: describedFields(
    properties,
    {
      container: {
        bodyPath: 'containers',
        sentDefault: [],
        fields: { ...initContainerFields, ...probeFields },
        extraConversions: { expand: emptyProbesIfNone },
      },
      init_container: { bodyPath: 'initContainers', sentDefault: [], fields: initContainerFields },
      min_replicas: omittedIfZero,
      max_replicas: { sentDefault: 10, stateDefault: 10 },
      cooldown_period_in_seconds: { sentDefault: 300, stateDefault: 300 },
      polling_interval_in_seconds: { sentDefault: 30, stateDefault: 30 },
      revision_suffix: { stateDefault: '' },
      termination_grace_period_seconds: omittedIfZero,
      volume: {
        bodyPath: 'volumes',
        sentDefault: [],
        fields: {
          name: 'name',
          storage_name: 'storageName',
          storage_type: {
            bodyPath: 'storageType',
            sentDefault: 'EmptyDir',
            stateDefault: 'EmptyDir',
          },
          mount_options: 'mountOptions',
        },
      },
    },
    { terraform: 'template.0.', body: 'template.' },
  ),
  extraConversions: { expand: expandScaleRules, flatten: flattenScaleRules },
};

function emptyProbesIfNone(container: ValueMap): RawObject {
  return Object.keys(probeFields).some((block) => blocks(container, block).length === 1)
    ? {}
    : { probes: [] };
}
