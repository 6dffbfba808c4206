import type { FastifyInstance } from 'fastify';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import type { ClockStatus } from '../clock.js';
import { type FaultPlan, noFaults } from '../faults/fault.js';
import type { FaultsStatus } from '../faults/injector.js';
import { faultPresets, faultPlanOfPreset } from '../faults/presets.js';

/** The sandbox's time, the faults that it injects, and the presets of faults. */
export interface SandboxConditions {
  readonly clock: ClockStatus;
  readonly faults: FaultsStatus;
  readonly presets: readonly { readonly name: string; readonly summary: string }[];
}

/** Reads the sandbox's clock and its faults, and sets the faults. */
export interface ConditionsSource {
  clock(): ClockStatus;
  faults(): FaultsStatus;
  /** Injects faults in place of earlier ones; they stay after a restart. */
  setFaults(plan: FaultPlan): void;
}

/** Adds the routes that return the time and the faults, and that set faults by a preset or `off`. */
export function registerConditionRoutes(scope: FastifyInstance, source: ConditionsSource): void {
  const read = (): SandboxConditions => ({
    clock: source.clock(),
    faults: source.faults(),
    presets: Object.entries(faultPresets).map(([name, { summary }]) => ({ name, summary })),
  });
  scope.get('/api/conditions', read);
  scope.post('/api/faults', (request, reply) => {
    const { preset } = (request.body ?? {}) as { readonly preset?: unknown };
    try {
      if (typeof preset !== 'string')
        throw new CastellanError('CAS4023', 'preset must be the name of a preset, or "off"');
      source.setFaults(preset === 'off' ? noFaults : faultPlanOfPreset(preset));
    } catch (error) {
      if (!isCastellanError(error)) throw error;
      return reply.code(400).send({ error: { code: error.code, message: error.message } });
    }
    return read();
  });
}
