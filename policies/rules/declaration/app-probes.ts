import { containersOf } from '../../engine/app-containers.js';
import { defineRule, removal } from '../../engine/rule.js';

const httpOnlyProperties = ['path', 'host', 'headers'] as const;

export const appProbes = defineRule({
  id: 'app-probes',
  title: 'A probe has a port, a path only for HTTP, and a success threshold only for readiness.',
  why: 'The hosting service refuses the app or silently ignores the setting.',
  severity: 'error',
  source: 'the hosting service; the official provider has no argument for it',
  sections: ['containerApps'],
  reads: ['probes', 'containers.*.probes', 'targetPort'],
  messages: {
    tcp: '{property} has no effect: the probe has transport tcp',
    success: 'successThreshold is for readiness only: one success is enough for {kind}',
    port: 'the probe has no port: declare port, or targetPort of the app',
  },
  check({ value }, context) {
    const probes = containersOf(value).flatMap(({ container, path }) =>
      (['liveness', 'readiness', 'startup'] as const).map((kind) => ({
        kind,
        probe: container.probes?.[kind],
        path: [...path, 'probes', kind],
      })),
    );
    for (const { kind, probe, path } of probes) {
      if (probe === undefined || probe === null) continue;
      for (const property of httpOnlyProperties)
        if (probe.transport === 'tcp' && probe[property] !== undefined)
          context.report({
            messageId: 'tcp',
            path: [...path, property],
            at: 'key',
            parameters: { property },
          });
      if (
        kind !== 'readiness' &&
        probe.successThreshold !== undefined &&
        probe.successThreshold !== 1
      )
        context.report({
          messageId: 'success',
          path: [...path, 'successThreshold'],
          parameters: { given: probe.successThreshold, kind },
          fix: removal,
        });
      if (probe.port === undefined && value.targetPort === undefined)
        context.report({ messageId: 'port', path, at: 'key' });
    }
  },
});
