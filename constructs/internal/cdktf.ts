// eslint-disable-next-line @typescript-eslint/no-require-imports -- the module itself, whose function can be replaced
import creationTraces = require('cdktf/lib/tokens/private/stack-trace');
import packageJson from 'cdktf/package.json';

/**
 * The only import of cdktf. The library was archived; the move to its successor (`cdktn`, with the
 * same interface) must stay one line, so nothing else in this package imports it.
 */
export {
  Annotations,
  App,
  Aspects,
  AzurermBackend,
  CloudBackend,
  DefaultTokenResolver,
  Fn,
  Lazy,
  LocalBackend,
  NamedCloudWorkspace,
  NamedRemoteWorkspace,
  PrefixedRemoteWorkspaces,
  RemoteBackend,
  StringConcat,
  TerraformBackend,
  TerraformDataSource,
  TerraformElement,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
  Token,
  Tokenization,
  ref,
} from 'cdktf';
export { ValidateBinaryVersion } from 'cdktf/lib/validations';
export { resolve } from 'cdktf/lib/_tokens';
export { deepMerge } from 'cdktf/lib/util';
export type {
  AppConfig,
  IAspect,
  IPostProcessor,
  IResolvable,
  IResolveContext,
  ISynthesisSession,
  ITerraformDependable,
  ITerraformIterator,
  TerraformMetaArguments,
  TerraformResourceLifecycle,
} from 'cdktf';
export { addCustomSynthesis, StackSynthesizer } from 'cdktf/lib/synthesize/synthesizer';
export { Construct } from 'constructs';
export type { IConstruct } from 'constructs';
export { creationTraces };
/** `cdktf`, or `cdktn` if the project has the successor under that name. */
export const libraryName: string = packageJson.name;
