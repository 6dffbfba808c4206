export type { RequiredVariable, TerraformVariables } from './environment-of.js';
export { environmentOf, terraformVariables } from './environment-of.js';
export { orderStacks } from './order-stacks.js';
export type { OrderedStack } from './order-stacks.js';
export type { Environment } from './resolve-environment.js';
export { resolveEnvironment } from './resolve-environment.js';
export type { StackSource, SynthesizedStack, SynthesizeOptions, Target } from './synthesize.js';
export { synthesize } from './synthesize.js';
