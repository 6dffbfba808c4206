import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { Service, ServiceDescription } from './service.js';

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of the operations of services.
 *
 * @param origin the address at which they are served.
 */
export function openApiDocument(services: readonly Service[], origin: string): object {
  const describedServices = services.flatMap(({ description }) => description ?? []);
  const paths: Record<string, Json> = {};
  // Paths that differ only in parameter names are one path in OpenAPI.
  const pathsByShape = new Map<string, string>();
  for (const service of describedServices)
    for (const prefix of service.prefixes)
      for (const operation of service.operations) {
        const path = `${prefix}${operation.path}`
          .replace(/:(\w+)/g, '{$1}')
          .replace(/(?<=.)\/$/, '');
        const shape = pathShape(path);
        const documentedPath = pathsByShape.get(shape) ?? path;
        pathsByShape.set(shape, documentedPath);
        (paths[documentedPath] ??= {})[operation.method.toLowerCase()] ??= operationObject(
          service,
          operation,
          documentedPath,
        );
      }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Castellan services',
      version: '1',
      description: describedServices.map(({ name }) => name).join(', '),
    },
    servers: [{ url: origin }],
    tags: describedServices.map(({ name }) => ({ name })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: Object.fromEntries(
        describedServices.map(({ name, errorSchema }) => [errorSchemaName(name), errorSchema]),
      ),
    },
  };
}

function pathShape(path: string): string {
  return path.replace(/\{\w+\}/g, '{}').toLowerCase();
}

function operationObject(
  service: ServiceDescription,
  operation: ServiceDescription['operations'][number],
  path: string,
): Json {
  const { summary, description, query = {}, success = 200 } = operation;
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const queryParameters = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  const error = {
    'application/json': {
      schema: { $ref: `#/components/schemas/${errorSchemaName(service.name)}` },
    },
  };
  return {
    tags: [service.name],
    summary,
    ...omitUndefined({ description }),
    ...(pathParameters.length + queryParameters.length !== 0 && {
      parameters: [...pathParameters, ...queryParameters],
    }),
    responses: {
      [success]: {
        description: 'Success.',
        ...(success !== 204 && { content: { 'application/json': {} } }),
      },
      default: { description: 'The request was refused.', content: error },
    },
  };
}

function errorSchemaName(service: string): string {
  return `${service.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Error`;
}
