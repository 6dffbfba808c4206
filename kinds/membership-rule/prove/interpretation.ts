/**
 * A way to read what the cloud does not document. The directory's evaluator is
 * {@link directoryInterpretation}.
 */
export interface Interpretation {
  /** Whether a missing value fulfils `-ne`, `-notContains` and the other negative operators. */
  readonly isNegativeOfNothing: boolean;
  /** Whether all of no entries fulfil a condition (`-all`). */
  readonly isAllOfNothing: boolean;
  /** Whether `\d`, `\w` and `\s` match letters of all scripts, as they do in .NET. */
  readonly areClassesUnicode: boolean;
}

/** How the directory's evaluator reads rules. */
export const directoryInterpretation: Interpretation = {
  isNegativeOfNothing: true,
  isAllOfNothing: true,
  areClassesUnicode: false,
};

const ofNegatives = 'whether a missing value fulfils negative operators such as -ne';
const ofAll = 'whether -all holds for a collection without entries';
const ofClasses = String.raw`whether \d, \w and \s match letters of other scripts`;

/** The other readings, each with what it reads differently. */
export const otherInterpretations: readonly (Interpretation & {
  readonly difference: string;
  /** Whether it reads several points differently: asked only where no point decides alone. */
  readonly isCombined?: true;
})[] = [
  { ...directoryInterpretation, isNegativeOfNothing: false, difference: ofNegatives },
  { ...directoryInterpretation, isAllOfNothing: false, difference: ofAll },
  { ...directoryInterpretation, areClassesUnicode: true, difference: ofClasses },
  {
    isNegativeOfNothing: false,
    isAllOfNothing: false,
    areClassesUnicode: false,
    difference: `${ofNegatives}, and ${ofAll}`,
    isCombined: true,
  },
  {
    isNegativeOfNothing: false,
    isAllOfNothing: false,
    areClassesUnicode: true,
    difference: `${ofNegatives}, ${ofAll}, and ${ofClasses}`,
    isCombined: true,
  },
];
