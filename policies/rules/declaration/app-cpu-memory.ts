import {
  consumptionSizes,
  cpu as cpuSchema,
  isAllowedCpuMemory,
  isConsumptionProfile,
  memory as memorySchema,
} from '../../../kinds/container-app/container.js';
import { containersOf } from '../../engine/app-containers.js';
import { defineRule } from '../../engine/rule.js';
import type { SectionProps } from '../../engine/stack-index.js';

const { cores, gibibytesPerCore } = consumptionSizes;

export const appCpuMemory = defineRule({
  id: 'app-cpu-memory',
  title:
    'Without a workload profile an app has 0.25 to 4 cores in steps of 0.25, and twice as many gibibytes.',
  why: 'The hosting service refuses any other pair; the official provider checks no pair.',
  severity: 'error',
  source: 'the official provider lets it through',
  sections: ['containerApps'],
  reportsSchemaMistakesOf: ['cpu', 'memory'],
  reads: ['cpu', 'memory', 'containers.*.cpu', 'containers.*.memory', 'workloadProfile'],
  messages: {
    minimum: '{given} cores are too few; must be at least {limit}',
    pattern: '"{given}" is not an amount of memory such as 0.5Gi',
    cpu: '{given} cores are not possible; allowed: {minimum} to {maximum} in steps of {step}',
    sum: 'the containers together have {cpu} cores and {memory}; without a workload profile that must be 0.25 to 4 cores in steps of 0.25, and twice as many gibibytes',
    pair: '{given} does not go with {cpu} cores; it must be {wanted}',
  },
  check({ value }, context) {
    if (!isConsumptionProfile(value.workloadProfile)) return;
    if (value.containers !== undefined) {
      const sum = sumOf(value);
      if (sum !== undefined && !isAllowedCpuMemory(sum.cpu, sum.memory))
        context.report({ messageId: 'sum', path: ['containers'], at: 'key', parameters: sum });
      return;
    }
    if (value.cpu === undefined && value.memory === undefined) return;
    const cpu =
      value.cpu ??
      (typeof value.memory === 'string'
        ? Number.parseFloat(value.memory) / gibibytesPerCore
        : cores.minimum);
    if (typeof cpu !== 'number' || cpu < cpuSchema.minimum) return;
    if (cpu < cores.minimum || cpu > cores.maximum || !Number.isInteger(cpu / cores.step))
      return context.report({
        messageId: value.cpu === undefined ? 'pair' : 'cpu',
        path: [value.cpu === undefined ? 'memory' : 'cpu'],
        parameters: {
          given: value.cpu ?? value.memory,
          cpu,
          wanted: 'between 0.5Gi and 8Gi in steps of 0.5Gi',
          ...cores,
        },
      });
    const expected = `${String(cpu * gibibytesPerCore)}Gi`;
    const memory = value.memory;
    if (
      typeof memory !== 'string' ||
      !new RegExp(memorySchema.pattern).test(memory) ||
      isAllowedCpuMemory(cpu, memory)
    )
      return;
    context.report({
      messageId: 'pair',
      path: ['memory'],
      parameters: { cpu, wanted: expected },
      fix: { value: expected },
    });
  },
});

/** The cores and the memory of all containers; undefined if those of one have another form. */
function sumOf(
  app: SectionProps['containerApps'],
): { readonly cpu: number; readonly memory: string } | undefined {
  let [coresSum, gibibytesSum] = [0, 0];
  for (const { container } of containersOf(app)) {
    const { cpu = cores.minimum, memory = `${Number(cpu) * gibibytesPerCore}Gi` } = container;
    if (typeof cpu !== 'number' || !new RegExp(memorySchema.pattern).test(memory)) return undefined;
    coresSum += cpu;
    gibibytesSum += Number.parseFloat(memory);
  }
  return { cpu: Number(coresSum.toFixed(3)), memory: `${Number(gibibytesSum.toFixed(3))}Gi` };
}
