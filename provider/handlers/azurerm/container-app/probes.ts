import type { Value, ValueMap } from '../../../values/value.js';
import type { Raw } from '../../read-values.js';
import { blocks, defined, given, mustText, number, object, objects, text } from '../../read-values.js';

const kinds = { liveness_probe: 'Liveness', readiness_probe: 'Readiness', startup_probe: 'Startup' } as const;
type ProbeBlock = keyof typeof kinds;

/** The probes of a container as they are sent. Two blocks of one kind send none of it, as the official provider does. */
export function expandProbes(container: ValueMap): Raw[] {
  return (Object.keys(kinds) as ProbeBlock[]).flatMap((name) => {
    const [probe, ...more] = blocks(container, name);
    return probe === undefined || more.length > 0 ? [] : [expandProbe(probe, kinds[name])];
  });
}

function expandProbe(probe: ValueMap, type: string): Raw {
  const transport = mustText(probe, 'transport').toUpperCase();
  const [port, host] = [number(probe, 'port'), text(probe, 'host')];
  const headers = blocks(probe, 'header').map((each) => ({ name: mustText(each, 'name'), value: mustText(each, 'value') }));
  const request =
    transport === 'TCP'
      ? { tcpSocket: defined({ port, host }) }
      : {
          httpGet: defined({
            scheme: transport,
            port,
            host,
            path: text(probe, 'path') ?? '/',
            httpHeaders: headers.length === 0 ? undefined : headers,
          }),
        };
  return defined({
    type,
    ...request,
    failureThreshold: number(probe, 'failure_count_threshold'),
    initialDelaySeconds: number(probe, 'initial_delay'),
    periodSeconds: number(probe, 'interval_seconds'),
    successThreshold: number(probe, 'success_count_threshold'),
    timeoutSeconds: number(probe, 'timeout'),
  });
}

/** The probe blocks of one container of what the service has. */
export function flattenProbes(container: Raw): ValueMap {
  const probes = objects(container, 'probes');
  const entries = (Object.keys(kinds) as ProbeBlock[]).map((name): [string, Value] => [
    name,
    probes.filter((each) => each['type'] === kinds[name]).map((each) => flattenProbe(each, name)),
  ]);
  return Object.fromEntries(entries);
}

function flattenProbe(probe: Raw, name: ProbeBlock): ValueMap {
  const isTcp = typeof probe['tcpSocket'] === 'object' && probe['tcpSocket'] !== null;
  const request = object(probe, isTcp ? 'tcpSocket' : 'httpGet');
  return {
    failure_count_threshold: given(probe, 'failureThreshold'),
    header: objects(request, 'httpHeaders').map((each) => ({ name: given(each, 'name'), value: given(each, 'value') })),
    host: given(request, 'host'),
    initial_delay: given(probe, 'initialDelaySeconds'),
    interval_seconds: given(probe, 'periodSeconds'),
    path: isTcp ? '' : given(request, 'path'),
    port: given(request, 'port'),
    timeout: given(probe, 'timeoutSeconds'),
    transport: isTcp ? 'TCP' : (given(request, 'scheme') ?? 'HTTP'),
    ...(name === 'readiness_probe'
      ? { success_count_threshold: given(probe, 'successThreshold') }
      : { termination_grace_period_seconds: given(probe, 'terminationGracePeriodSeconds') ?? 0 }),
  };
}
