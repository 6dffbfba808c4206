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

/** What the cloud does not document, by the name of the point. */
export type UndocumentedPoint = keyof Interpretation;

const descriptions: Readonly<Record<UndocumentedPoint, string>> = {
  isNegativeOfNothing: 'whether a missing value fulfils negative operators such as -ne',
  isAllOfNothing: 'whether -all holds for a collection without entries',
  areClassesUnicode: String.raw`whether \d, \w and \s match letters of other scripts`,
};

/** A reading that is not the directory's, with what it reads differently. */
interface OtherInterpretation extends Interpretation {
  readonly points: readonly UndocumentedPoint[];
  readonly difference: string;
}

function differingIn(...points: readonly UndocumentedPoint[]): OtherInterpretation {
  const changed = points.map((each) => [each, !directoryInterpretation[each]]);
  return {
    ...directoryInterpretation,
    ...(Object.fromEntries(changed) as Partial<Interpretation>),
    points,
    difference: points.map((each) => descriptions[each]).join(', and '),
  };
}

/** The other readings: of single points first. */
export const otherInterpretations: readonly OtherInterpretation[] = [
  differingIn('isNegativeOfNothing'),
  differingIn('isAllOfNothing'),
  differingIn('areClassesUnicode'),
  differingIn('isNegativeOfNothing', 'isAllOfNothing'),
  differingIn('isNegativeOfNothing', 'areClassesUnicode'),
  differingIn('isAllOfNothing', 'areClassesUnicode'),
  differingIn('isNegativeOfNothing', 'isAllOfNothing', 'areClassesUnicode'),
];
