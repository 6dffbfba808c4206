/** Decides questions about all people whom membership rules can select, not about known ones. */
export type { Attribute, Values } from './attribute.js';
export { analyzeRule } from './analysis.js';
export type { RedundantClause, RuleAnalysis } from './analysis.js';
export { defaultEffort } from './effort.js';
export { attributesOf, objectOf } from './example.js';
export type { ExampleAttributes } from './example.js';
export type { Formula } from './formula.js';
export { nearestChange } from './nearest.js';
export { Prover } from './prover.js';
export type { Answer, Question } from './prover.js';
export { directoryInterpretation } from './interpretation.js';
export type { Interpretation } from './interpretation.js';
export { RuleProver } from './rule-prover.js';
export type { RuleAnswer } from './rule-prover.js';
export { readerOf } from '../evaluation/compile-rule.js';
