import { closedObject, list, reference, text, integer } from '../schema/schema-builders.js';

const concurrentRequests = () =>
  integer('Concurrent requests per replica.', {
    minimum: 1,
    terraform: { at: 'template.0.http_scale_rule.*.concurrent_requests', aggregate: 'min' },
    body: { at: 'template.scale.rules.*.http.metadata.concurrentRequests', aggregate: 'min' },
  });

/** The number of an app's replicas, and its scale rules. */
export const replicas = () =>
  closedObject(
    {
      min: integer('The minimum number of replicas.', {
        minimum: 0,
        maximum: 300,
        terraform: 'template.0.min_replicas',
        body: 'template.scale.minReplicas',
      }),
      max: integer('The maximum number of replicas.', {
        minimum: 1,
        maximum: 300,
        terraform: 'template.0.max_replicas',
        body: 'template.scale.maxReplicas',
      }),
      cooldownSeconds: integer('Seconds without requests before the last replicas are removed.', {
        minimum: 1,
        maximum: 3600,
        alsoAcceptedByApi: {
          values: [0],
          because: 'only the official provider requires at least one second',
        },
        terraform: 'template.0.cooldown_period_in_seconds',
        body: 'template.scale.cooldownPeriod',
      }),
      pollingSeconds: integer('Seconds between evaluations of the scale rules.', {
        minimum: 1,
        terraform: 'template.0.polling_interval_in_seconds',
        body: 'template.scale.pollingInterval',
      }),
      concurrentRequests: concurrentRequests(),
    },
    { description: 'The number of replicas, and when it changes.' },
  );

/** Terraform's blocks for the scale rules of an app; the API has one list. */
export const scaleRuleListPaths = {
  terraform: [
    'azure_queue_scale_rule',
    'custom_scale_rule',
    'http_scale_rule',
    'tcp_scale_rule',
  ].map((block) => `template.0.${block}`),
  body: ['template.scale.rules'],
} as const;

/**
 * A scale rule of an app. castellan.yaml has only `concurrentRequests`; other inputs can declare
 * all kinds.
 */
export const scaleRule = closedObject(
  {
    name: text('The name of the rule.', {
      minLength: 1,
      pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
      patternDescription: 'only lower-case letters, digits and inner hyphens',
      terraform: 'name',
      body: 'name',
    }),
    queueLength: integer('The length of the queue for each replica.', {
      minimum: 1,
      terraform: 'queue_length',
      body: 'azureQueue.queueLength',
    }),
    secrets: list(reference(['secrets'], "One of the app's secrets."), {
      description: 'The secrets by which the rule signs in.',
      terraform: 'authentication.*.secret_name',
      body: ['azureQueue', 'custom', 'http', 'tcp'].map((type) => `${type}.auth.*.secretRef`),
    }),
  },
  { required: ['name'] },
);
