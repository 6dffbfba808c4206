export { expectFindings } from './expect-findings.js';
export { synthesized } from './synthesized.js';
export type { TerraformJson } from './synthesized.js';
