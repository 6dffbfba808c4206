import {
  type Construct,
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  StringConcat,
  Tokenization,
  TerraformStack,
} from './cdktf.js';

/** The stacks whose resources a value refers to. */
export function referencedStacks(value: unknown, scope: Construct): readonly TerraformStack[] {
  const collector = new StackCollector(new StringConcat());
  Tokenization.resolve(value, { scope, resolver: collector, preparing: false });
  return [...collector.stacks];
}

class StackCollector extends DefaultTokenResolver {
  readonly stacks = new Set<TerraformStack>();

  override resolveToken(
    token: IResolvable,
    context: IResolveContext,
    postProcessor: IPostProcessor,
  ): unknown {
    const { originStack } = token as { readonly originStack?: unknown };
    if (TerraformStack.isStack(originStack)) this.stacks.add(originStack);
    return super.resolveToken(token, context, postProcessor);
  }
}
