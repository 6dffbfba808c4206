/**
 * The limits of a container app and its environment: what the hosting service accepts (the official provider checks only part of it;
 * spec 000 adds `allowInsecure: false` beside auth). The only place that states them.
 */
export const containerAppLimits = {
  /** Lower-case letters, digits and single hyphens, beginning with a letter, ending with a letter or digit. */
  name: { minLength: 2, maxLength: 32, pattern: '^[a-z](?!.*--)[a-z0-9-]*[a-z0-9]$' },
  containerName: { minLength: 1, maxLength: 46, pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' },
  environmentName: { minLength: 2, maxLength: 60, pattern: '^[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$' },
  secretName: { minLength: 1, maxLength: 253, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' },
  revisionSuffix: { minLength: 1, maxLength: 54, pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$' },
  resourceGroup: { minLength: 1, maxLength: 90, pattern: '^[-\\w._()]*[-\\w_()]$' },
  port: { minimum: 1, maximum: 65535 },
  minReplicas: { minimum: 0, maximum: 300 },
  maxReplicas: { minimum: 1, maximum: 300, default: 10 },
  trafficWeight: { minimum: 0, maximum: 100, sum: 100 },
  maxInactiveRevisions: { minimum: 0, maximum: 100 },
  terminationGracePeriodSeconds: { minimum: 0, maximum: 600 },
  cooldownSeconds: { minimum: 0, maximum: 3600 },
  /** Without a workload profile a container gets 0.25 to 4 cores in steps of 0.25, and twice as many gibibytes. */
  resources: { cpu: { minimum: 0.25, maximum: 4, step: 0.25 }, memoryPerCpu: 2, memory: '^[0-9]+(\\.[0-9]+)?Gi$' },
  probe: {
    initialDelaySeconds: { minimum: 0, maximum: 60 },
    periodSeconds: { minimum: 1, maximum: 240 },
    timeoutSeconds: { minimum: 1, maximum: 240 },
    failureThreshold: { minimum: 1, maximum: 30 },
    successThreshold: { minimum: 1, maximum: 10 },
  },
  logRetentionInDays: { minimum: 30, maximum: 730 },
} as const;

/** Whether a container gets that much memory with that many cores (only without a workload profile). */
export function isAllowedCpuMemory(cpu: number, memory: string): boolean {
  const { step, minimum, maximum } = containerAppLimits.resources.cpu;
  const gibibytes = /^(\d+(?:\.\d+)?)Gi$/.exec(memory);
  if (gibibytes === null || cpu < minimum || cpu > maximum || !Number.isInteger(cpu / step)) return false;
  return Number(gibibytes[1]) === cpu * containerAppLimits.resources.memoryPerCpu;
}
