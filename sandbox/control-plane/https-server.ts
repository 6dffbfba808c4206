import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { FastifyInstance } from 'fastify';
import type pino from 'pino';
import { createHttpServer } from '../../services/common/http-server.js';
import type { SandboxSettings } from '../settings.js';
import type { ExplainPage } from '../explanation/refusal-explanation.js';
import { type Hosting } from '../hosting/hosting.js';
import { Ingress } from '../ingress/ingress.js';
import { type SandboxTracer } from '../tracing/tracer.js';
import { type Certificates } from '../tls/certificate-authority.js';
import { openListeners } from './listeners.js';

/**
 * Accepts connections for the apps and for the sandbox itself on its only port.
 *
 * @returns a function that stops it
 */
export async function serveHttps({
  settings,
  certificates,
  hosting,
  explain,
  tracer,
  ownListener,
}: {
  readonly settings: SandboxSettings;
  readonly certificates: Certificates;
  readonly hosting: Hosting;
  readonly explain: ExplainPage;
  readonly tracer: SandboxTracer;
  /** Handles the requests to the sandbox itself. */
  readonly ownListener: RequestListener;
}): Promise<() => Promise<void>> {
  const ingress = new Ingress(hosting, explain, tracer);
  const handle: RequestListener = (request, response) =>
    hosting.appNameAt(request.headers.host) === undefined
      ? ownListener(request, response)
      : ingress.handle(request, response);
  const tls = { ...certificates.ownCertificate, SNICallback: certificates.secureContextOf };
  const listeners = await openListeners(settings.port, {
    tls,
    handle,
    upgrade: ingress.upgrade,
  });
  return async () => {
    await listeners.close();
    ingress.close();
  };
}

/**
 * A fastify instance that opens no port, and its request listener, to which {@link serveHttps}
 * passes requests.
 */
export function createAppWithListener(log: pino.Logger): {
  app: FastifyInstance;
  listener: RequestListener;
} {
  let listener: RequestListener | undefined;
  const app = createHttpServer({
    logger: log,
    serverFactory: (handler) => {
      listener = handler as (request: IncomingMessage, response: ServerResponse) => void;
      return createServer();
    },
  });
  // fastify calls the factory at once
  return { app, listener: listener as unknown as RequestListener };
}
