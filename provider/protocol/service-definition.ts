import { join } from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/** The services of a .proto file beside this one, read once. */
function load(file: string, service: string): ServiceDefinition {
  const definition = loadSync(join(__dirname, file), {
    keepCase: true,
    longs: Number,
    enums: String,
    arrays: true,
    objects: true,
    defaults: false,
    oneofs: false,
  });
  return definition[service] as ServiceDefinition;
}

/** Plugin protocol 6: what Terraform asks of a provider. */
export function providerService(): ServiceDefinition {
  return load('tfplugin6.proto', 'tfplugin6.Provider');
}

/** How Terraform asks a launched plugin to end. */
export function controllerService(): ServiceDefinition {
  return load('grpc-controller.proto', 'plugin.GRPCController');
}
