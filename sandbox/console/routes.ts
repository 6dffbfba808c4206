import { pictureScript } from '../../core/graph/picture-script.js';
import { pictureStyle } from '../../core/graph/picture-style.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DirectoryGet } from '../../access/directory/read-person.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { admitRequest, consolePath, redirectToConsole, consoleLinkPath } from './authentication.js';
import { registerConditionRoutes } from './conditions.js';
import type { ConsoleContext } from './context.js';
import { sendNotFound, startServerSentEvents } from './replies.js';
import { registerPeopleRoutes, type SendToService } from './people-routes.js';
import { registerProofRoute, registerSimulationRoute } from './simulator-routes.js';
import { registerTraceAndLogRoutes } from './trace-and-log-routes.js';
import type { ConsoleService } from './service-requests.js';

/** The page, its script and its style: built from page/ by scripts/bundle-console.mjs. */
const assets: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '': { file: 'index.html', type: 'text/html; charset=utf-8' },
  'favicon.svg': { file: 'favicon.svg', type: 'image/svg+xml' },
  'console.js': { file: 'console.js', type: 'text/javascript; charset=utf-8' },
  'console.css': { file: 'console.css', type: 'text/css; charset=utf-8' },
};
/** Beside this file, or seen from the bundle that the sandbox runs from. */
const assetsFolder =
  [join(__dirname, 'page'), join(__dirname, '../sandbox/console/page')].find((each) =>
    existsSync(each),
  ) ?? __dirname;
const consoleSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/**
 * Serves the console below {@link consolePath}. The code that reads and checks the project is
 * loaded with the first page.
 */
export function registerConsoleRoutes(app: FastifyInstance, context: ConsoleContext): void {
  const { settings, activity } = context;
  const { tenantId, subscriptionId } = settings;
  const env = { ...process.env, ARM_TENANT_ID: tenantId, ARM_SUBSCRIPTION_ID: subscriptionId };
  const send: SendToService = async (method, service, path, body) => {
    const headers = {
      authorization: `Bearer ${await context.token(service)}`,
      host: new URL(context.origin).host,
      ...activity.consoleHeader,
    };
    return app.inject({
      method,
      url: path,
      headers,
      ...omitUndefined({ payload: body }),
    });
  };
  const requestJson = async <T>(service: ConsoleService, path: string): Promise<T | undefined> => {
    const answer = await send('GET', service, path);
    if (answer.statusCode === 404) return undefined;
    if (answer.statusCode >= 300)
      throw new Error(`GET ${path} answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
    return answer.json<T>();
  };
  app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, reply, next) => {
        if (request.routeOptions.url === consoleLinkPath || admitRequest(request, reply, settings))
          next();
      });
      scope.addHook('onSend', (_request, reply, payload, next) => {
        reply.headers({
          'content-security-policy': consoleSecurityPolicy,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
        });
        next(null, payload);
      });
      scope.get('/open', (request, reply) => redirectToConsole(request, reply));
      scope.get('/', (_request, reply) => reply.type(assets['']!.type).send(readAsset('')));
      scope.get('/picture.css', (_request, reply) =>
        reply.type('text/css; charset=utf-8').send(pictureStyle),
      );
      scope.get('/picture.js', (_request, reply) =>
        reply.type('text/javascript; charset=utf-8').send(pictureScript),
      );
      scope.get('/:asset', (request, reply) => {
        const { asset: name } = request.params as { asset: string };
        const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
        if (asset === undefined) return sendNotFound(reply, `The console has no ${name}.`);
        return reply.type(asset.type).send(readAsset(name));
      });
      scope.get('/api/snapshot', async () =>
        (await import('./console-data.js')).readConsoleData({
          ...context,
          apps: context.hosting.views(),
          requestJson,
        }),
      );
      scope.get('/api/graph', async () =>
        (await import('./stack-pictures.js')).drawStackPictures(context.paths, env),
      );
      scope.get('/api/findings', async () =>
        (await import('./findings.js')).readFindings(context.paths, env),
      );
      scope.post('/api/findings/:fingerprint/fix', async (request, reply) => {
        const { fingerprint } = request.params as { fingerprint: string };
        const { applyFix } = await import('./findings.js');
        if (await applyFix(fingerprint, context.paths, env)) return {};
        const message = 'This finding is gone, or its fix does not fit its file any more.';
        return reply.code(409).send({ error: { code: 'Conflict', message } });
      });
      scope.get('/api/items/:id', async (request, reply) => {
        const { id } = request.params as { id: string };
        const { readItem } = await import('./item-details.js');
        const item = await readItem(id, requestJson, context.database);
        return item ?? sendNotFound(reply, `There is no item "${id}".`);
      });
      const readDirectory: DirectoryGet = (path) => requestJson('directory', `/v1.0${path}`);
      registerSimulationRoute(scope, context, readDirectory);
      registerProofRoute(scope, context, readDirectory);
      registerTraceAndLogRoutes(scope, context);
      scope.get('/api/activity', () => activity.recordedCalls());
      scope.get('/api/events', (request, reply) => streamEvents(request, reply, context));
      registerConditionRoutes(scope, context.conditions);
      registerPeopleRoutes(scope, send, requestJson);
      scope.post('/api/apps/:name/restart', async (request, reply) => {
        const { name } = request.params as { name: string };
        const app = context.hosting.find(name);
        if (app === undefined) return sendNotFound(reply, `There is no app "${name}".`);
        await app.restart();
        return app.status();
      });
      done();
    },
    { prefix: consolePath.slice(0, -1) },
  );
}

function readAsset(name: string): string {
  const path = join(assetsFolder, assets[name]?.file ?? '');
  if (!existsSync(path)) throw new Error(`${path} is missing: npm run build makes it`);
  return readFileSync(path, 'utf8');
}

/** How often the apps are compared with their last state, for the event `changed`. */
const changePollMs = 2_000;

/** Server-sent events: each call of a service, new spans, and `changed` after a change of the apps. */
function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  { activity, hosting, traces }: ConsoleContext,
): void {
  const events = startServerSentEvents(request, reply);
  events.send('hello', {});
  events.onClose(activity.subscribe((call) => events.send('call', call)));
  events.onClose(traces.subscribe(() => events.send('spans', {})));
  let previous = JSON.stringify(hosting.views());
  const timer = setInterval(() => {
    const current = JSON.stringify(hosting.views());
    if (current === previous) events.keepAlive();
    else events.send('changed', {});
    previous = current;
  }, changePollMs);
  timer.unref();
  events.onClose(() => clearInterval(timer));
}
