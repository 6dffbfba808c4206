import type { Api, DataSourceHandler, ResourceHandler } from '../handlers/handler.js';
import type { Response } from '../protocol/messages.js';
import type { ProviderSchema } from '../schemas/schema.js';
import type { Value, ValueMap } from '../values/value.js';

/** A provider: its schemas, its handlers, and how it reaches the services once it is configured. */
export interface Provider {
  readonly schema: ProviderSchema;
  readonly resources: Readonly<Record<string, ResourceHandler>>;
  readonly dataSources: Readonly<Record<string, DataSourceHandler>>;
  readonly functions?: Readonly<Record<string, ProviderFunction>>;
  /** Called with the provider block; the answer serves every later call. */
  connect(config: ValueMap): Promise<Api> | Api;
}

/** A function that configurations may call: `provider::fabric::content_decode(…)`. */
export interface ProviderFunction {
  readonly message: Response;
  call(args: readonly Value[]): Value;
}
