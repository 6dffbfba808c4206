import { Root } from 'protobufjs';

/**
 * The messages and services of Terraform's plugin protocol as JSON, so that the provider need not
 * parse the .proto files at each start.
 */
export function protocolMessages(): string {
  const files = ['tfplugin6.proto', 'grpc-controller.proto'].map(
    (file) => `provider/protocol/${file}`,
  );
  return `${JSON.stringify(new Root().loadSync(files, { keepCase: true }).toJSON())}\n`;
}
