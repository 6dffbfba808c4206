import type { Socket } from 'node:net';
import {
  type handleUnaryCall,
  type MethodDefinition,
  Server,
  type ServerCredentials,
  ServerCredentials as Credentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type IConversionOptions, type INamespace, Root, type Type } from 'protobufjs/light.js';
import descriptions from './generated/messages.json';
import type { ProviderServer } from '../server/provider-server.js';
import type { Request, Response } from './messages.js';

/** A provider that accepts calls. */
export interface ListeningProvider {
  /** Stops accepting calls, waits for running ones, but not for long, and closes the socket. */
  close(): Promise<void>;
}

/** How a provider listens. */
interface ListenOptions {
  /** The unix socket's path. */
  readonly socketPath: string;
  /** Mutual TLS for a launched plugin. @default none, as for reattached providers */
  readonly credentials?: ServerCredentials;
  /** Called when Terraform asks a launched plugin to stop. */
  readonly onShutdown?: () => void;
}

/** Serves a provider on a unix socket. */
export async function listen(
  provider: ProviderServer,
  options: ListenOptions,
): Promise<ListeningProvider> {
  const server = createServer(provider, options.onShutdown);
  await new Promise<void>((done, fail) => {
    server.bindAsync(
      `unix:${options.socketPath}`,
      options.credentials ?? Credentials.createInsecure(),
      (error) => (error === null ? done() : fail(error)),
    );
  });
  return { close: () => new Promise((done) => shutDownGracefully(server, done)) };
}

/** Serves a provider on one open connection. */
export function serveConnection(provider: ProviderServer, socket: Socket): ListeningProvider {
  const server = createServer(provider);
  const injector = server.createConnectionInjector(Credentials.createInsecure());
  socket.once('close', () => {
    injector.destroy();
    server.forceShutdown();
  });
  injector.injectConnection(socket);
  return { close: () => new Promise((done) => shutDownGracefully(server, done)) };
}

function createServer(provider: ProviderServer, onShutdown?: () => void): Server {
  // Schemas and states may be larger than gRPC's 4 MB.
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  server.addService(providerService, implementation(provider));
  server.addService(controllerService, {
    Shutdown: (_call: unknown, done: (error: null, answer: object) => void) => {
      done(null, {});
      onShutdown?.();
    },
  });
  return server;
}

function implementation(provider: ProviderServer): UntypedServiceImplementation {
  return Object.fromEntries(
    provider.methodNames.map((name): [string, handleUnaryCall<Request, Response>] => [
      name,
      (call, done) =>
        void provider.call(name, call.request).then(
          (answer) => done(null, answer),
          (error: Error) => done(error),
        ),
    ]),
  );
}

/** How long running calls may take to finish after the provider is closed. */
const shutdownTimeoutMs = 1000;

/** Waits for running calls, then aborts those that take too long. */
function shutDownGracefully(server: Server, done: () => void): void {
  const abortTimer = setTimeout(() => {
    server.forceShutdown();
    done();
  }, shutdownTimeoutMs);
  abortTimer.unref();
  server.tryShutdown(() => {
    clearTimeout(abortTimer);
    done();
  });
}

/** The messages of the .proto files beside this one. */
const messages = Root.fromJSON(descriptions as INamespace);
const conversion: IConversionOptions = {
  longs: Number,
  enums: String,
  arrays: true,
  objects: true,
};

/** A service in gRPC's form: the path of each method, and the conversion of its messages. */
function serviceDefinition(name: string): ServiceDefinition {
  const service = messages.lookupService(name);
  return Object.fromEntries(
    service.methodsArray.map((method) => {
      method.resolve();
      const { resolvedRequestType: request, resolvedResponseType: response } = method;
      if (request === null || response === null)
        throw new Error(`${name}.${method.name} has no messages`);
      const definition: MethodDefinition<object, object> = {
        path: `/${name}/${method.name}`,
        requestStream: method.requestStream === true,
        responseStream: method.responseStream === true,
        requestSerialize: encode(request),
        requestDeserialize: decode(request),
        responseSerialize:
          method.name === 'GetProviderSchema' ? encodeOnce(response) : encode(response),
        responseDeserialize: decode(response),
      };
      return [method.name, definition];
    }),
  );
}

function encode(type: Type): (value: object) => Buffer {
  return (value) => type.encode(type.fromObject(value)).finish() as Buffer;
}

/** Encodes values that are sent again and again once. */
function encodeOnce(type: Type): (value: object) => Buffer {
  const encodedValues = new WeakMap<object, Buffer>();
  return (value) => {
    const bytes = encodedValues.get(value) ?? encode(type)(value);
    encodedValues.set(value, bytes);
    return bytes;
  };
}

function decode(type: Type): (bytes: Buffer) => object {
  return (bytes) => type.toObject(type.decode(bytes), conversion);
}

/** Plugin protocol 6: Terraform's calls to a provider. */
const providerService = serviceDefinition('tfplugin6.Provider');
/** Terraform's request to stop a launched plugin. */
const controllerService = serviceDefinition('plugin.GRPCController');
