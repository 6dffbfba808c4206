import type { FastifyInstance } from 'fastify';
import type { Response } from 'light-my-request';
import { isObject } from '../../core/values/is-object.js';
import { sendNotFound } from './replies.js';
import { personChanges, personPath, readPersonProperties } from './person-properties.js';
import type { ConsoleService, RequestJson } from './service-requests.js';

/** Sends a request to a service of the sandbox with the toolkit's token. */
export type SendToService = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  service: ConsoleService,
  path: string,
  body?: object,
) => Promise<Response>;

/** Adds the routes that read, add, change and delete people. */
export function registerPeopleRoutes(
  scope: FastifyInstance,
  send: SendToService,
  requestJson: RequestJson,
): void {
  scope.get('/api/people/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const properties = await readPersonProperties(id, requestJson);
    return properties ?? sendNotFound(reply, `There is no person "${id}".`);
  });
  scope.post('/api/people', async (request, reply) => {
    const body: Readonly<Record<string, unknown>> = isObject(request.body) ? request.body : {};
    const { displayName, userPrincipalName, ...properties } = body;
    if (typeof displayName !== 'string' || typeof userPrincipalName !== 'string') {
      const message = 'A person needs displayName and userPrincipalName, each as text.';
      return reply.code(400).send({ error: { code: 'BadRequest', message } });
    }
    const mailNickname = userPrincipalName.split('@')[0]?.replace(/[^A-Za-z0-9._-]/g, '') ?? '';
    const person = {
      displayName,
      userPrincipalName,
      mailNickname,
      accountEnabled: true,
      ...personChanges(properties),
      passwordProfile: {
        password: `${crypto.randomUUID()}-Aa1`,
        forceChangePasswordNextSignIn: false,
      },
    };
    const answer = await send('POST', 'directory', '/v1.0/users', person);
    return reply.code(answer.statusCode).send(answer.json());
  });
  scope.patch('/api/people/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const changes = personChanges(isObject(request.body) ? request.body : {});
    const answer = await send('PATCH', 'directory', personPath(id), changes);
    return reply.code(answer.statusCode).send(answer.body === '' ? {} : answer.json());
  });
  scope.delete('/api/people/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const answer = await send('DELETE', 'directory', personPath(id));
    return reply.code(answer.statusCode).send(answer.body === '' ? {} : answer.json());
  });
}
