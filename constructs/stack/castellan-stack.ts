import { relative, resolve } from 'node:path';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { BackendProps } from '../../kinds/index.js';
import {
  App,
  AzurermBackend,
  type Construct,
  LocalBackend,
  NamedRemoteWorkspace,
  PrefixedRemoteWorkspaces,
  RemoteBackend,
  type TerraformBackend,
  type TerraformStack,
} from '../internal/cdktf.js';
import {
  CloudSettings,
  type CloudSettingsProps,
  skipValidation,
  type SandboxSettings,
} from '../internal/cloud-settings.js';
import { FastStack } from '../internal/fast-synthesis/fast-stack.js';
import { MovedBlocks } from '../internal/moved-blocks.js';
import { recordCreation, recordCreations } from '../internal/recorded-creation.js';
import { checkAtSynth } from './check-at-synth.js';
import { chooseBackend } from './backend-choice.js';
import { writeSourceManifest } from './source-manifest.js';
import { escapeIfGiven } from '../internal/interpolation.js';

/** The settings of a stack. */
export interface CastellanStackProps {
  /**
   * The cloud settings. @default from the providers' environment; container apps need a location.
   */
  readonly azure?: Omit<CloudSettingsProps, 'sandbox' | 'namedAfter'> | undefined;
  /**
   * The backend of the state; the path of a `local` one is relative to the current folder.
   * @default a file
   */
  readonly backend?: BackendProps | undefined;
  /**
   * The state file of the `local` backend, relative to the folder of the synthesized stack.
   * @default that of `backend`, otherwise `terraform.<stack>.tfstate` beside the output folder
   */
  readonly statePath?: string | undefined;
  /**
   * Set for the local sandbox; `undefined` for the cloud. @default the sandbox if the environment
   * points there (`castellan sandbox env`)
   */
  readonly sandbox?: SandboxSettings | undefined;
  /**
   * The earlier name of the stack; of several, the oldest first. Resources that are named after the
   * stack keep their names; the state of the old name has to be moved to that of the new one.
   * @default it was never renamed
   */
  readonly movedFrom?: string | readonly string[] | undefined;
  /**
   * Whether the declarations were already checked by the policy beside their configuration.
   * @default false
   */
  readonly skipValidation?: boolean | undefined;
}

/**
 * A stack: the unit that Terraform plans and applies. Its providers are declared as its constructs
 * need them.
 *
 * @example
 * const app = new App();
 * const stack = new CastellanStack(app, 'storefront', { azure: { location: 'westeurope' } });
 * new Workspace(stack, 'telemetry', { displayName: 'Telemetry' });
 * app.synth();
 */
export class CastellanStack extends FastStack {
  constructor(scope: Construct, id: string, props: CastellanStackProps = {}) {
    super(scope, id);
    recordCreation(this);
    recordCreations(this);
    writeSourceManifest(this);
    const [firstName, ...laterNames] = ([] as readonly string[]).concat(props.movedFrom ?? []);
    if (firstName !== undefined) MovedBlocks.of(this).addStack([firstName, ...laterNames]);
    CloudSettings.of(this).set({
      ...props.azure,
      ...omitUndefined({ namedAfter: firstName }),
      ...('sandbox' in props && { sandbox: props.sandbox }),
    });
    const { backend = {}, statePath } = props;
    chooseBackend(this, {
      declared: props.backend,
      createCloudBackend: () => createBackend(this, backend, statePath),
      sandboxPath: 'sandbox' in props ? statePath : undefined,
      hasConfiguredBackend: backend.azurerm !== undefined || backend.remote !== undefined,
    });
    if (props.skipValidation === true) skipValidation(this);
    else checkAtSynth(this);
  }
}

/** The backend of a stack's state. */
function createBackend(
  stack: TerraformStack,
  { azurerm, remote, local }: BackendProps,
  statePath: string | undefined,
): TerraformBackend {
  if (azurerm !== undefined)
    return new AzurermBackend(stack, {
      ...azurerm,
      useAzureadAuth: azurerm.useAzureadAuth ?? true,
      resourceGroupName: escapeIfGiven(azurerm.resourceGroupName),
    });
  if (remote !== undefined) {
    const { hostname, organization, workspaces } = remote;
    return new RemoteBackend(stack, {
      hostname,
      organization,
      workspaces:
        workspaces.name === undefined
          ? new PrefixedRemoteWorkspaces(workspaces.prefix ?? `${stack.node.id}-`)
          : new NamedRemoteWorkspace(workspaces.name),
    });
  }
  const declaredPath = local?.path === undefined ? undefined : pathFromStack(stack, local.path);
  return new LocalBackend(stack, {
    // cdktf's default is an absolute path, which differs between machines
    path: statePath ?? declaredPath ?? `../../../terraform.${stack.node.id}.tfstate`,
  });
}

/** A path of the current folder, relative to the folder of the synthesized stack. */
function pathFromStack(stack: TerraformStack, path: string): string {
  return relative(resolve(App.of(stack).outdir, 'stacks', stack.node.id), resolve(path));
}
