import type { Finding } from '../../core/findings/finding.js';
import type { BackendProps } from '../../kinds/index.js';
import {
  AzurermBackend,
  type Construct,
  LocalBackend,
  NamedRemoteWorkspace,
  PrefixedRemoteWorkspaces,
  RemoteBackend,
  type TerraformBackend,
  type TerraformStack,
} from '../internal/cdktf.js';
import { type CloudSettings, rememberJudged, type SandboxSettings, setCloudSettings } from '../internal/cloud-settings.js';
import { FastStack } from '../internal/fast-synthesis/fast-stack.js';
import { rememberCreation } from '../internal/remembered-creation.js';
import { checkTree, messageWithPlace } from './declared-tree.js';
import { writeSourceManifest } from './source-manifest.js';
import { optionalText } from '../internal/literal-text.js';

/** The settings of a stack. */
export interface CastellanStackProps {
  /** Where in the cloud the stack is. @default what the providers find in their environment; container apps need a location. */
  readonly azure?: Omit<CloudSettings, 'sandbox'>;
  /** Where Terraform keeps the state. @default a file */
  readonly backend?: BackendProps;
  /**
   * The state file of the `local` backend, seen from the folder of the synthesized stack. @default `terraform.<stack>.tfstate` beside the
   * output folder
   */
  readonly statePath?: string;
  /** Set where the stack is meant for the local sandbox. @default the cloud */
  readonly sandbox?: SandboxSettings;
  /** `before` where what the stack declares was checked already, by the policy beside its configuration. @default at synth */
  readonly judged?: 'before' | 'at synth';
}

/**
 * A stack: what Terraform plans and applies as one. Its providers are declared by what is in it.
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
    rememberCreation(this);
    writeSourceManifest(this);
    setCloudSettings(this, { ...props.azure, ...(props.sandbox === undefined ? {} : { sandbox: props.sandbox }) });
    // cdktf's own default is an absolute path, which is another one on every machine
    createBackend(this, props.backend ?? {}, props.statePath ?? `../../../terraform.${id}.tfstate`);
    if (props.judged === 'before') rememberJudged(this);
    else this.node.addValidation({ validate: () => checkTree(this).filter(isFailure).map(messageWithPlace) });
  }
}

function isFailure({ verdict, severity }: Finding): boolean {
  return verdict === 'fail' && severity === 'error';
}

/**
 * Where Terraform keeps the state of a stack.
 *
 * @param localPath the state file of the `local` kind, seen from the folder of the synthesized stack.
 */
function createBackend(stack: TerraformStack, { azurerm, remote }: BackendProps, localPath: string): TerraformBackend {
  if (azurerm !== undefined)
    return new AzurermBackend(stack, {
      ...azurerm,
      useAzureadAuth: azurerm.useAzureadAuth ?? true,
      resourceGroupName: optionalText(azurerm.resourceGroupName),
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
  return new LocalBackend(stack, { path: localPath });
}
