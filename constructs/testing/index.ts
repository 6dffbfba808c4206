export { expectFindings } from './expect-findings.js';
export { synthesized } from './terraform-json.js';
export type { TerraformJson } from './terraform-json.js';
export { matchers } from './matchers.js';
export type { CastellanMatchers, DeclaredProperties, MatcherResult } from './matchers.js';
