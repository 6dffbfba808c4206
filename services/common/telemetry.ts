import type { EnvironmentVariables } from '../../core/process/environment-variables.js';

/** Where spans are sent to, as OpenTelemetry's variables say; undefined when nowhere. */
export function spansEndpoint(env: EnvironmentVariables): string | undefined {
  const {
    OTEL_SDK_DISABLED: disabled,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint,
    OTEL_EXPORTER_OTLP_ENDPOINT: commonEndpoint,
  } = env;
  if (disabled?.toLowerCase() === 'true') return undefined;
  if (tracesEndpoint !== undefined && tracesEndpoint !== '') return tracesEndpoint;
  return commonEndpoint === undefined || commonEndpoint === ''
    ? undefined
    : `${commonEndpoint.replace(/\/+$/, '')}/v1/traces`;
}

/**
 * Sends this process's spans to the OTLP endpoint that the environment names
 * (`OTEL_EXPORTER_OTLP_ENDPOINT`, and OpenTelemetry's other variables for its exporter), by HTTP in
 * JSON. Without an endpoint nothing is loaded, and spans cost nothing.
 *
 * @returns a function that sends what is left and ends.
 */
export async function startTelemetry(
  serviceName: string,
  env: EnvironmentVariables = process.env,
): Promise<() => Promise<void>> {
  if (spansEndpoint(env) === undefined) return () => Promise.resolve();
  const { NodeTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTEL_SERVICE_NAME: givenName = '' } = env;
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': givenName === '' ? serviceName : givenName }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return () => provider.shutdown();
}
