import type { ValidatorName } from '../../../kinds/stack/schema-compiler.js';
import type { Rule, SchemaClaim } from '../../engine/rule.js';
import type { SchemaMistake } from '../../engine/schema-validation.js';

/** The keywords that a claim covers only if it names them. */
const keywordsToName = new Set(['required', 'additionalProperties', 'type']);

interface Claimant {
  readonly rule?: Rule;
  readonly claim?: SchemaClaim;
}

/** The rule that reports a mistake of the schema, with its claim; neither if no rule claims it. */
export function findClaim(
  section: ValidatorName,
  { keyword, path }: SchemaMistake,
  rules: readonly Rule[],
): Claimant {
  const claimant = claimantsIn(rules, section).find(({ claim: { keywords }, steps }) => {
    if (steps.length !== path.length) return false;
    if (keywords === undefined ? keywordsToName.has(keyword) : !keywords.includes(keyword))
      return false;
    return steps.every((step, index) => step === '*' || step === String(path[index]));
  });
  return claimant ?? {};
}

type ClaimedPlace = Required<Claimant> & { readonly steps: readonly string[] };

const placesCache = new WeakMap<readonly Rule[], Map<ValidatorName, readonly ClaimedPlace[]>>();

/**
 * The claims of rules in a section, cached by list of rules: a plan needs them for every resource.
 */
function claimantsIn(rules: readonly Rule[], section: ValidatorName): readonly ClaimedPlace[] {
  const bySection = placesCache.get(rules) ?? new Map<ValidatorName, readonly ClaimedPlace[]>();
  placesCache.set(rules, bySection);
  const cached = bySection.get(section);
  if (cached !== undefined) return cached;
  const rulesOfSection = rules.filter(({ sections }) => sections.some((own) => own === section));
  const places = rulesOfSection.flatMap((rule) =>
    (rule.reportsSchemaMistakesOf ?? []).map((ruleClaim) => {
      const claim = typeof ruleClaim === 'string' ? { path: ruleClaim } : ruleClaim;
      return { rule, claim, steps: claim.path.split('.') };
    }),
  );
  bySection.set(section, places);
  return places;
}
