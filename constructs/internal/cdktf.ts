/**
 * The one door to cdktf. The library was archived; the move to its successor (`cdktn`, the same interface) must stay one line, so
 * nothing else in this package imports it.
 */
export {
  Annotations,
  App,
  Aspects,
  AzurermBackend,
  CloudBackend,
  DefaultTokenResolver,
  Lazy,
  LocalBackend,
  NamedCloudWorkspace,
  NamedRemoteWorkspace,
  PrefixedRemoteWorkspaces,
  RemoteBackend,
  StringConcat,
  TerraformBackend,
  TerraformElement,
  TerraformOutput,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
  Token,
  Tokenization,
  ref,
} from 'cdktf';
export type { AppConfig, IAspect, IResolvable, IResolveContext, ISynthesisSession, TerraformMetaArguments } from 'cdktf';
export { addCustomSynthesis } from 'cdktf/lib/synthesize/synthesizer';
export { Construct } from 'constructs';
export type { IConstruct } from 'constructs';
