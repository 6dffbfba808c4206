import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { environmentFolder, environmentOfShell } from '../../core/project/environment-folder.js';
import type { BackendProps } from '../../kinds/index.js';
import {
  Annotations,
  App,
  LocalBackend,
  type TerraformBackend,
  type TerraformStack,
} from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';

/** The state of a stack in the sandbox: a file beside the sandbox. */
class SandboxBackend extends LocalBackend {}

/** How a stack gets its backend. */
export interface BackendChoice {
  /** The backend for the cloud as the stack declares it, in the form of castellan.yaml. */
  readonly declared?: BackendProps | undefined;
  /** Creates the backend for the cloud. @default the one that the stack has, otherwise cdktf's */
  readonly createCloudBackend?: () => TerraformBackend;
  /** The state file in the sandbox, from the folder of the synthesized stack. @default beside it */
  readonly sandboxPath?: string | undefined;
  /**
   * Whether a backend is configured that the sandbox replaces. @default whether the stack has one
   */
  readonly hasConfiguredBackend?: boolean;
}

const choices = new WeakMap<TerraformStack, BackendChoice>();

/**
 * Keeps the state of a stack in the sandbox apart from that in the cloud: in the sandbox, a state
 * file replaces the backend that is configured for the cloud, and an annotation says so.
 */
export function chooseBackend(stack: TerraformStack, newChoice?: BackendChoice): void {
  const isReplaced = choices.has(stack);
  // PolicyChecks calls this for a stack before the stack's own constructor gives its choice
  if (newChoice !== undefined || !isReplaced) choices.set(stack, newChoice ?? {});
  if (isReplaced) return;
  const ensureOriginalBackend = stack.ensureBackendExists.bind(stack);
  stack.ensureBackendExists = (): TerraformBackend => {
    const choice = choices.get(stack) ?? {};
    const existing = stack.node.tryFindChild(backendId);
    if (existing instanceof SandboxBackend) return existing;
    if (cloudSettings(stack).sandbox === undefined)
      return existing === undefined && choice.createCloudBackend !== undefined
        ? choice.createCloudBackend()
        : ensureOriginalBackend();
    if (existing !== undefined) stack.node.tryRemoveChild(backendId);
    if (existing !== undefined || choice.hasConfiguredBackend === true)
      Annotations.of(stack).addInfo(
        'in the sandbox the state is a file beside the sandbox, instead of the backend of the stack',
      );
    return new SandboxBackend(stack, { path: choice.sandboxPath ?? sandboxStatePath(stack) });
  };
}

/** The backend that a stack declares for the cloud, in the form of castellan.yaml. */
export function declaredBackend(stack: TerraformStack): BackendProps | undefined {
  return choices.get(stack)?.declared;
}

/** The id that cdktf gives a backend in its stack. */
const backendId = 'backend';

/**
 * The state file in the sandbox, as a relative path: an absolute one would differ between machines.
 */
function sandboxStatePath(stack: TerraformStack): string {
  const folder = join(App.of(stack).outdir, 'stacks', stack.node.id);
  const environment = environmentOfShell(process.env);
  const sandboxFolder = resolve(environmentFolder(environment));
  const name = [
    'terraform',
    stack.node.id,
    ...(environment === undefined ? [] : [environment]),
  ].join('.');
  return existsSync(sandboxFolder)
    ? relative(folder, join(sandboxFolder, `${name}.tfstate`))
    : `../../../${name}.sandbox.tfstate`;
}
