/**
 * Decides questions about all people whom membership rules can select, not only about existing
 * ones. In order: `rule-formula.ts` turns a rule into a formula (`formula.ts`) over atoms
 * (`atoms.ts`), each a comparison of one attribute; those of texts have automata (`automaton.ts`,
 * `pattern-automaton.ts`). `prover.ts` puts a question to `solver.ts`, which chooses values that
 * make the formula true (of texts: `text-outcomes.ts`), and `example.ts` makes a person of them, on
 * whom the directory's evaluator must agree.
 */
export type { Attribute, Values } from './atom.js';
export { analyzeRule } from './rule-analysis.js';
export type { RedundantClause, RuleAnalysis } from './rule-analysis.js';
export { defaultEffort } from './effort.js';
export { attributesOf, exampleObject } from './example.js';
export type { ExampleAttributes } from './example.js';
export type { Formula } from './formula.js';
export { nearestChange } from './nearest-change.js';
export { Prover } from './prover.js';
export type { Answer, Question } from './prover.js';
export { directoryInterpretation } from './interpretation.js';
export type { Interpretation } from './interpretation.js';
export { RuleProver } from './rule-prover.js';
export type { RuleAnswer } from './rule-prover.js';
export { propertyGetter } from '../evaluation/compile-rule.js';
