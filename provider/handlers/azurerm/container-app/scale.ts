import type { Value, ValueMap } from '../../../values/value.js';
import { blocks, defined, given, mustText, number, object, objects, type Raw, text, textMap } from '../../read-values.js';

/** The scale settings of a template as they are sent. */
export function expandScale(template: ValueMap): Raw {
  const least = number(template, 'min_replicas') ?? 0;
  const rules = [
    ...blocks(template, 'azure_queue_scale_rule').map((rule) => ({
      name: mustText(rule, 'name'),
      azureQueue: { queueName: mustText(rule, 'queue_name'), queueLength: number(rule, 'queue_length'), auth: expandAuthentication(rule) },
    })),
    ...blocks(template, 'custom_scale_rule').map((rule) => ({
      name: mustText(rule, 'name'),
      custom: defined({
        type: mustText(rule, 'custom_rule_type'),
        metadata: textMap(rule, 'metadata'),
        auth: expandAuthentication(rule),
        identity: text(rule, 'identity_id'),
      }),
    })),
    ...blocks(template, 'http_scale_rule').map((rule) => ({ name: mustText(rule, 'name'), http: concurrency(rule) })),
    ...blocks(template, 'tcp_scale_rule').map((rule) => ({ name: mustText(rule, 'name'), tcp: concurrency(rule) })),
  ];
  return defined({
    minReplicas: least === 0 ? undefined : least,
    maxReplicas: number(template, 'max_replicas') ?? 10,
    cooldownPeriod: number(template, 'cooldown_period_in_seconds') ?? 300,
    pollingInterval: number(template, 'polling_interval_in_seconds') ?? 30,
    rules: rules.length === 0 ? undefined : rules,
  });
}

function concurrency(rule: ValueMap): Raw {
  return { metadata: { concurrentRequests: mustText(rule, 'concurrent_requests') }, auth: expandAuthentication(rule) };
}

function expandAuthentication(rule: ValueMap): Raw[] {
  return blocks(rule, 'authentication').map((each) =>
    defined({ secretRef: mustText(each, 'secret_name'), triggerParameter: text(each, 'trigger_parameter') }),
  );
}

/** The scale settings and rules of what the service has. */
export function flattenScale(scale: Raw): ValueMap {
  const rules = objects(scale, 'rules');
  const of = (kind: string, more: (inner: Raw) => ValueMap): Value =>
    rules
      .filter((rule) => typeof rule[kind] === 'object' && rule[kind] !== null)
      .map((rule) => ({
        name: given(rule, 'name'),
        authentication: flattenAuthentication(object(rule, kind)),
        ...more(object(rule, kind)),
      }));
  const requests = (inner: Raw): ValueMap => ({ concurrent_requests: given(object(inner, 'metadata'), 'concurrentRequests') });
  return {
    min_replicas: given(scale, 'minReplicas') ?? 0,
    max_replicas: given(scale, 'maxReplicas') ?? 10,
    cooldown_period_in_seconds: given(scale, 'cooldownPeriod') ?? 300,
    polling_interval_in_seconds: given(scale, 'pollingInterval') ?? 30,
    azure_queue_scale_rule: of('azureQueue', (inner) => ({
      queue_name: given(inner, 'queueName'),
      queue_length: given(inner, 'queueLength'),
    })),
    custom_scale_rule: of('custom', (inner) => ({
      custom_rule_type: given(inner, 'type'),
      metadata: Object.fromEntries(Object.entries(object(inner, 'metadata')).map(([name, value]) => [name, String(value)])),
      identity_id: given(inner, 'identity'),
    })),
    http_scale_rule: of('http', requests),
    tcp_scale_rule: of('tcp', requests),
  };
}

function flattenAuthentication(rule: Raw): Value {
  return objects(rule, 'auth').map((each) => ({
    secret_name: given(each, 'secretRef'),
    trigger_parameter: given(each, 'triggerParameter'),
  }));
}
