/**
 * A way to read what the cloud does not document. The directory's evaluator is
 * {@link directoryInterpretation}.
 */
export interface Interpretation {
  /** Whether a missing value fulfils `-ne`, `-notContains` and the other negative operators. */
  readonly isNegativeOfNothing: boolean;
  /** Whether all of no entries fulfil a condition (`-all`). */
  readonly isAllOfNothing: boolean;
}

/** How the directory's evaluator reads rules. */
export const directoryInterpretation: Interpretation = {
  isNegativeOfNothing: true,
  isAllOfNothing: true,
};

const ofNegatives = 'whether a missing value fulfils negative operators such as -ne';
const ofAll = 'whether -all holds for a collection without entries';

/** The other readings, each with what it reads differently. */
export const otherInterpretations: readonly (Interpretation & {
  readonly difference: string;
  readonly isBoth?: true;
})[] = [
  { ...directoryInterpretation, isNegativeOfNothing: false, difference: ofNegatives },
  { ...directoryInterpretation, isAllOfNothing: false, difference: ofAll },
  {
    isNegativeOfNothing: false,
    isAllOfNothing: false,
    difference: `${ofNegatives}, and ${ofAll}`,
    isBoth: true,
  },
];
