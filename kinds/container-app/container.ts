import { Unsafe } from '@sinclair/typebox';
import { withMetadata } from '../schema/property-metadata.js';
import {
  closedObject,
  list,
  recordOf,
  number,
  reference,
  text,
  integer,
  enumOf,
} from '../schema/schema-builders.js';

/** The name of a container; that of an app's first container is the app's. */
export const containerName = text('The name of a container.', {
  minLength: 1,
  maxLength: 46,
  pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$',
  patternDescription: 'only lower-case letters, digits, inner hyphens and dots',
});

/**
 * The paths of the lists of all containers of an app, in Terraform and in bodies.
 */
export const containerListPaths = {
  terraform: { containers: 'template.0.container', initContainers: 'template.0.init_container' },
  body: { containers: 'template.containers', initContainers: 'template.initContainers' },
} as const;

/** The image that a container runs. */
export const image = () =>
  text('The container image.', {
    pattern: '^[^\\s]+$',
    patternDescription: 'a character, and no blanks',
    terraform: 'template.0.container.0.image',
    body: 'template.containers.0.image',
  });

/** The command of a container. */
export const command = () =>
  list(text('A word.'), {
    description: "The command, instead of the image's own.",
    minItems: 1,
    terraform: 'template.0.container.0.command',
    body: 'template.containers.0.command',
  });

/** The arguments of a container. */
export const args = () =>
  list(text('A word.'), {
    description: "The arguments, instead of the image's own.",
    minItems: 1,
    terraform: 'template.0.container.0.args',
    body: 'template.containers.0.args',
  });

/** The environment of a container: text, or `{ secret: name }`. */
export const env = () =>
  Unsafe<Record<string, string | { secret: string }>>({
    type: 'object',
    description:
      "The container's environment: text, or `{ secret: name }` for one of the app's secrets.",
    patternProperties: {
      '^[A-Za-z_][A-Za-z0-9_.-]*$': {
        type: ['string', 'object'],
        properties: { secret: reference(['secrets'], "The name of one of the app's secrets.") },
        required: ['secret'],
        additionalProperties: false,
      },
    },
    additionalProperties: false,
    ...withMetadata({
      patternDescription:
        'only letters, digits and _ . -, and a letter or underscore at its beginning',
      terraform: {
        at: 'template.0.container.0.env',
        list: { name: 'name', value: 'value', secret: 'secret_name' },
      },
      body: {
        at: 'template.containers.0.env',
        list: { name: 'name', value: 'value', secret: 'secretRef' },
      },
    }),
  });

/** The cores of an app: the sum over its containers. */
export const cpu = number('Cores: 0.25 to 4 in steps of 0.25; on a workload profile any.', {
  minimum: 0.01,
  default: 0.25,
  terraform: { at: 'template.0.container.*.cpu', aggregate: 'sum' },
  body: { at: 'template.containers.*.resources.cpu', aggregate: 'sum' },
});

/** The memory of an app: the sum over its containers. */
export const memory = text(
  'Memory, twice the cores: 0.5Gi for 0.25 cores; on a workload profile any.',
  {
    pattern: '^[0-9]+(\\.[0-9]+)?Gi$',
    patternDescription: 'the form of a number with Gi, such as 0.5Gi',
    terraform: { at: 'template.0.container.*.memory', aggregate: 'sum' },
    body: { at: 'template.containers.*.resources.memory', aggregate: 'sum' },
  },
);

/** Sizes of an app on the consumption profile: cores in steps, each with its memory. */
export const consumptionSizes = {
  cores: { minimum: 0.25, maximum: 4, step: 0.25 },
  gibibytesPerCore: 2,
} as const;

/** The profile that every environment has, and that an app without another one runs on. */
export const consumptionProfile = 'Consumption';

/** Whether an app with this workload profile runs on the one that every environment has. */
export function isConsumptionProfile(workloadProfile: string = consumptionProfile): boolean {
  return workloadProfile.toLowerCase() === consumptionProfile.toLowerCase();
}

/** Whether an app without a workload profile can have this much memory with this many cores. */
export function isAllowedCpuMemory(cores: number, memoryText: string): boolean {
  const { minimum, maximum, step } = consumptionSizes.cores;
  const gibibytes = new RegExp(memory.pattern).test(memoryText)
    ? Number.parseFloat(memoryText)
    : undefined;
  if (cores < minimum || cores > maximum || !Number.isInteger(cores / step)) return false;
  return gibibytes === cores * consumptionSizes.gibibytesPerCore;
}

/**
 * A health probe of a container. In the API it is an HTTP request or the opening of a connection.
 */
const probe = (description: string, attribute: string, type: string) =>
  closedObject(
    {
      transport: enumOf(['http', 'https', 'tcp'], {
        description: 'The protocol of the probe.',
        default: 'http',
        terraform: {
          at: 'transport',
          valueMap: { http: 'HTTP', https: 'HTTPS', tcp: 'TCP' },
          ignoreCase: true,
        },
        body: [
          { at: 'tcpSocket', valueIfPresent: 'tcp' },
          { at: 'httpGet.scheme', valueMap: { http: 'HTTP', https: 'HTTPS' }, ignoreCase: true },
        ],
      }),
      port: integer("The port of the probe. Default: the app's target port.", {
        minimum: 1,
        maximum: 65535,
        terraform: 'port',
        body: ['httpGet.port', 'tcpSocket.port'],
      }),
      path: text('The path of the request, for HTTP.', {
        pattern: '^/',
        patternDescription: 'a slash at its beginning',
        terraform: 'path',
        body: 'httpGet.path',
      }),
      host: text('The Host header of the request.', {
        minLength: 1,
        terraform: 'host',
        body: ['httpGet.host', 'tcpSocket.host'],
      }),
      headers: recordOf(text('The value.'), {
        namePattern: '^[A-Za-z0-9-]+$',
        patternDescription: 'only letters, digits and hyphens',
        description: 'Headers to send.',
        terraform: { at: 'header', list: { name: 'name', value: 'value' } },
        body: { at: 'httpGet.httpHeaders', list: { name: 'name', value: 'value' } },
      }),
      initialDelaySeconds: integer('Seconds before the first probe.', {
        minimum: 0,
        maximum: 60,
        terraform: 'initial_delay',
        body: 'initialDelaySeconds',
      }),
      periodSeconds: integer('Seconds between probes.', {
        minimum: 1,
        maximum: 240,
        terraform: 'interval_seconds',
        body: 'periodSeconds',
        ...zeroForUnset,
      }),
      timeoutSeconds: integer('Seconds to wait for an answer.', {
        minimum: 1,
        maximum: 240,
        terraform: 'timeout',
        body: 'timeoutSeconds',
        ...zeroForUnset,
      }),
      failureThreshold: integer('Consecutive failures until the probe fails.', {
        minimum: 1,
        maximum: 30,
        terraform: 'failure_count_threshold',
        body: 'failureThreshold',
        ...zeroForUnset,
      }),
      successThreshold: integer(
        'Consecutive successes until the probe succeeds (readiness only).',
        {
          minimum: 1,
          maximum: 10,
          ...(type === 'Readiness'
            ? { terraform: 'success_count_threshold', body: 'successThreshold', ...zeroForUnset }
            : { notInApi: true }),
        },
      ),
    },
    {
      description,
      'x-name': 'ProbeDeclaration',
      terraform: `template.0.container.0.${attribute}.0`,
      body: `template.containers.0.probes.type=${type}`,
    },
  );

const zeroForUnset = {
  alsoAcceptedByApi: { values: [0], because: 'clients write it where nothing is set' },
} as const;

/** The health probes of a container. */
export const probes = () =>
  closedObject(
    {
      liveness: probe(
        'Whether the container is alive; otherwise it is restarted.',
        'liveness_probe',
        'Liveness',
      ),
      readiness: probe('Whether the container can take requests.', 'readiness_probe', 'Readiness'),
      startup: probe(
        'Whether the container has started; the other probes wait for it.',
        'startup_probe',
        'Startup',
      ),
    },
    { description: 'Health probes of the app.' },
  );
