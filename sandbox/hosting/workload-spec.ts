import { resolve } from 'node:path';
import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../app-settings.js';
import type { WorkloadSpec } from './workload.js';

interface Container {
  readonly image?: string;
  readonly env?: readonly { readonly name: string; readonly value?: string | null; readonly secretRef?: string | null }[] | null;
}

/** What an instance of an app is started with, from its declaration and the sandbox's settings for it; secrets are filled in. */
export function workloadSpec({ name, properties, secrets }: DeclaredApp, settings: AppSettings, projectDir: string): WorkloadSpec {
  const { ingress } = (properties['configuration'] ?? {}) as { ingress?: { targetPort?: number } | null };
  const { containers } = (properties['template'] ?? {}) as { containers?: readonly Container[] };
  const container = containers?.[0];
  const env: Record<string, string> = {};
  for (const variable of container?.env ?? []) {
    const secret = secrets.find((each) => each.name === variable.secretRef);
    env[variable.name] = secret?.value ?? variable.value ?? '';
  }
  return {
    app: name,
    replica: 0,
    image: container?.image ?? '',
    targetPort: ingress?.targetPort || 80,
    env: { ...env, ...settings.env },
    ...(settings.command === undefined ? {} : { command: settings.command }),
    workingDirectory: resolve(projectDir, settings.workingDirectory ?? '.'),
  };
}
