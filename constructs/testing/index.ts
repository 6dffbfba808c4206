export { expectFindings } from './expect-findings.js';
export { synthesized } from './synthesized.js';
export type { TerraformJson } from './synthesized.js';
export { matchers } from './matchers.js';
export type { CastellanMatchers, DeclaredProperties, MatcherResult } from './matchers.js';
