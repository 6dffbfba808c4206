/**
 * The only import of cdktf's public interface; what is not public is in cdktf-internals.ts. The
 * library was archived, and the move to its successor (`cdktn`, with the same interface) must stay
 * a matter of these two files, so nothing else in this package imports it.
 */
export {
  Annotations,
  App,
  Aspects,
  AzurermBackend,
  CloudBackend,
  ComplexList,
  ComplexMap,
  ComplexObject,
  DefaultTokenResolver,
  Fn,
  ImportableResource,
  Lazy,
  LocalBackend,
  NamedCloudWorkspace,
  NamedRemoteWorkspace,
  Op,
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
export { Construct, RootConstruct } from 'constructs';
export type { IConstruct } from 'constructs';
