import type { handleUnaryCall, ServerCredentials, UntypedServiceImplementation } from '@grpc/grpc-js';
import { Server, ServerCredentials as Credentials } from '@grpc/grpc-js';
import type { ProviderServer } from '../server/provider-server.js';
import type { Request, Response } from './messages.js';
import { controllerService, providerService } from './service-definition.js';

/** A provider that accepts calls. */
export interface Listening {
  /** Stops accepting calls, lets running ones end, and frees the socket. */
  close(): Promise<void>;
}

/** How a provider listens. */
export interface ListenOptions {
  /** The unix socket's path. */
  readonly socketPath: string;
  /** Mutual TLS for a launched plugin. @default none, as reattaching wants it */
  readonly credentials?: ServerCredentials;
  /** Called when Terraform asks a launched plugin to end. */
  readonly onShutdown?: () => void;
}

/** Serves a provider on a unix socket. */
export async function listen(provider: ProviderServer, options: ListenOptions): Promise<Listening> {
  // Schemas and states may be larger than gRPC's 4 MB.
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  server.addService(providerService(), implementation(provider));
  server.addService(controllerService(), {
    Shutdown: (_call: unknown, done: (error: null, answer: object) => void) => {
      done(null, {});
      options.onShutdown?.();
    },
  });
  await new Promise<void>((done, fail) => {
    server.bindAsync(`unix:${options.socketPath}`, options.credentials ?? Credentials.createInsecure(), (error) =>
      error === null ? done() : fail(error),
    );
  });
  return { close: () => new Promise((done) => closeGently(server, done)) };
}

function implementation(provider: ProviderServer): UntypedServiceImplementation {
  return Object.fromEntries(
    provider.names.map((name): [string, handleUnaryCall<Request, Response>] => [
      name,
      (call, done) =>
        void provider.call(name, call.request).then(
          (answer) => done(null, answer),
          (error: Error) => done(error),
        ),
    ]),
  );
}

/** Running calls get a second to end; then they are cut off. */
function closeGently(server: Server, done: () => void): void {
  const cutOff = setTimeout(() => {
    server.forceShutdown();
    done();
  }, 1000);
  cutOff.unref();
  server.tryShutdown(() => {
    clearTimeout(cutOff);
    done();
  });
}
