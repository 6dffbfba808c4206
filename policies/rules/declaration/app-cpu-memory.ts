import {
  consumption,
  isAllowedCpuMemory,
  memory as memoryText,
} from '../../../kinds/container-app/container.js';
import { defineRule } from '../../engine/rule.js';

const { cores, gibibytesPerCore } = consumption;

export const appCpuMemory = defineRule({
  id: 'app-cpu-memory',
  title:
    'Without a workload profile an app has 0.25 to 4 cores in steps of 0.25, and twice as many gibibytes.',
  why: 'The hosting service refuses any other pair; the official provider checks no pair.',
  severity: 'error',
  source: 'the official provider lets it through',
  sections: ['containerApps'],
  claims: ['cpu', 'memory'],
  reads: ['cpu', 'memory', 'workloadProfile'],
  messages: {
    minimum: '{given} cores are too few; must be at least {limit}',
    pattern: '"{given}" is not an amount of memory such as 0.5Gi',
    cpu: '{given} cores are not possible; allowed: {minimum} to {maximum} in steps of {step}',
    pair: '{given} does not go with {cpu} cores; it must be {wanted}',
  },
  check({ value }, context) {
    if (
      value.workloadProfile !== undefined ||
      (value.cpu === undefined && value.memory === undefined)
    )
      return;
    const cpu =
      value.cpu ??
      (typeof value.memory === 'string'
        ? Number.parseFloat(value.memory) / gibibytesPerCore
        : cores.minimum);
    if (typeof cpu !== 'number' || cpu < cores.minimum) return;
    if (cpu > cores.maximum || !Number.isInteger(cpu / cores.step))
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
      !new RegExp(memoryText.pattern).test(memory) ||
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
