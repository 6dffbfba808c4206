/**
 * A possible answer to each question about rules that the cloud does not document. The directory's
 * evaluator follows {@link directoryInterpretation}.
 */
export interface Interpretation {
  /** Whether a missing value fulfils `-ne`, `-notContains` and the other negative operators. */
  readonly doNegativesMatchMissing: boolean;
  /** Whether `-all` is true for a collection without entries. */
  readonly doesAllMatchEmpty: boolean;
  /** Whether `\d`, `\w` and `\s` match characters of all scripts, as they do in .NET. */
  readonly areCharacterClassesUnicode: boolean;
}

/** How the directory's evaluator reads rules. */
export const directoryInterpretation: Interpretation = {
  doNegativesMatchMissing: true,
  doesAllMatchEmpty: true,
  areCharacterClassesUnicode: false,
};

/** The name of a question that the cloud does not document. */
export type UndocumentedPoint = keyof Interpretation;

const descriptions: Readonly<Record<UndocumentedPoint, string>> = {
  doNegativesMatchMissing: 'whether a missing value fulfils negative operators such as -ne',
  doesAllMatchEmpty: 'whether -all holds for a collection without entries',
  areCharacterClassesUnicode: String.raw`whether \d, \w and \s match letters of other scripts`,
};

/** An interpretation that is not the directory's, with its differences. */
interface OtherInterpretation extends Interpretation {
  /** The undocumented points in which it differs from the directory's. */
  readonly points: readonly UndocumentedPoint[];
  /** These points in words. */
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

/** The other interpretations; those that differ in one point first. */
export const otherInterpretations: readonly OtherInterpretation[] = [
  differingIn('doNegativesMatchMissing'),
  differingIn('doesAllMatchEmpty'),
  differingIn('areCharacterClassesUnicode'),
  differingIn('doNegativesMatchMissing', 'doesAllMatchEmpty'),
  differingIn('doNegativesMatchMissing', 'areCharacterClassesUnicode'),
  differingIn('doesAllMatchEmpty', 'areCharacterClassesUnicode'),
  differingIn('doNegativesMatchMissing', 'doesAllMatchEmpty', 'areCharacterClassesUnicode'),
];
