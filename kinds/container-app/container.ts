import { Number as NumberSchema, Optional, Unsafe } from '@sinclair/typebox';
import { containerAppLimits as limits } from './limits.js';
import { secretReference } from '../schema/secret.js';
import { closed, named, reference, text, whole, words } from '../schema/shapes.js';

/** The environment of a container: text, or `{ secret: name }`. */
export const environmentVariablesSchema = Unsafe<Record<string, string | { secret: string }>>({
  type: 'object',
  description: "The container's environment: text, or `{ secret: name }` for one of the app's secrets.",
  patternProperties: {
    '^[A-Za-z_][A-Za-z0-9_.-]*$': {
      type: ['string', 'object'],
      properties: { secret: reference(['secrets'], "The name of one of the app's secrets.") },
      required: ['secret'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
});

/** The secrets of an app, by name: where each comes from. */
export const secretsSchema = named(secretReference, {
  names: limits.secretName.pattern,
  description: 'The secrets of the app by name: where each comes from, never the secret itself.',
});

/** How many cores a container gets. */
export const cpuSchema = NumberSchema({
  minimum: limits.resources.cpu.minimum,
  description: 'Cores: 0.25 to 4 in steps of 0.25.',
  default: 0.25,
});

/** How much memory a container gets. */
export const memorySchema = text('Memory, twice the cores: 0.5Gi for 0.25 cores.', { pattern: limits.resources.memory });

const httpGet = {
  path: Optional(text('The path to ask, for HTTP.', { pattern: '^/' })),
  host: Optional(text('The host to name.', { minLength: 1 })),
  headers: Optional(named(text('The value.'), { names: '^[A-Za-z0-9-]+$', description: 'Headers to send.' })),
};
const probe = (description: string) =>
  closed(
    {
      transport: Optional(words(['http', 'https', 'tcp'], { description: 'How the app is asked.', default: 'http' })),
      port: Optional(whole("The port to ask. Default: the app's target port.", limits.port)),
      ...httpGet,
      initialDelaySeconds: Optional(whole('Seconds before the first question.', limits.probe.initialDelaySeconds)),
      periodSeconds: Optional(whole('Seconds between questions.', limits.probe.periodSeconds)),
      timeoutSeconds: Optional(whole('Seconds to wait for an answer.', limits.probe.timeoutSeconds)),
      failureThreshold: Optional(whole('Failures in a row that count.', limits.probe.failureThreshold)),
      successThreshold: Optional(whole('Successes in a row that count (readiness only).', limits.probe.successThreshold)),
    },
    { description },
  );

/** The questions by which the platform learns how an app is. */
export const probesSchema = closed(
  {
    liveness: Optional(probe('Whether the container still lives; else it is started again.')),
    readiness: Optional(probe('Whether the container can take requests.')),
    startup: Optional(probe('Whether the container has started; the others wait for it.')),
  },
  { description: 'How the platform learns how the app is.' },
);
