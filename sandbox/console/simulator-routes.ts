import type { FastifyInstance } from 'fastify';
import type { DirectoryGet } from '../../access/directory/read-person.js';
import type { ConsoleContext } from './context.js';
import { sendNotFound } from './replies.js';

type Query = Readonly<Record<string, string>>;

/** Adds the route that says whether a person gets into an app, and why. */
export function registerSimulationRoute(
  scope: FastifyInstance,
  context: Pick<ConsoleContext, 'hosting' | 'paths' | 'settings' | 'now'>,
  readDirectory: DirectoryGet,
): void {
  scope.get('/api/simulation', async (request, reply) => {
    const { app: name, path = '/', person, ...attributes } = request.query as Query;
    const app = context.hosting.findDeclared(name ?? '');
    if (app === undefined) return sendNotFound(reply, `There is no app "${name ?? ''}".`);
    const [{ simulate }, { SourceLinks }] = await Promise.all([
      import('../explanation/simulation.js'),
      import('../explanation/source-links.js'),
    ]);
    return simulate(
      { app, path: path.startsWith('/') ? path : `/${path}`, person, attributes },
      {
        readDirectory,
        sourceLinks: await SourceLinks.read(context.paths),
        tenantId: context.settings.tenantId,
        now: context.now(),
      },
    );
  });
}

/** Adds the route that says whether anybody who matches a membership rule gets into an app. */
export function registerProofRoute(
  scope: FastifyInstance,
  { hosting, settings: { tenantId }, now }: Pick<ConsoleContext, 'hosting' | 'settings' | 'now'>,
  readDirectory: DirectoryGet,
): void {
  scope.get('/api/proof', async (request, reply) => {
    const { app: name = '', rule = '' } = request.query as Query;
    const app = hosting.findDeclared(name);
    if (app === undefined) return sendNotFound(reply, `There is no app "${name}".`);
    const { proveNoAccess } = await import('../explanation/access-proof.js');
    const proof = await proveNoAccess(app, rule, { readDirectory, tenantId, now: now() });
    if (typeof proof !== 'string') return proof;
    return reply.code(400).send({ error: { code: 'BadRequest', message: proof } });
  });
}
