import type { Finding, Verdict } from '../../core/findings/finding.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/**
 * Merges equal findings of all inputs: the source's finding gets the address and the live id.
 *
 * @param findings those of the source.
 * @param additions those of plan, state and live objects.
 */
export function mergeFindings(
  findings: readonly Finding[],
  additions: readonly Finding[],
): readonly Finding[] {
  const firstAdditions = new FindingMap<Finding>();
  // for several resources with one finding, all but the first
  const furtherAdditions = new FindingMap<Map<string, Finding>>();
  /** The earlier finding, with the places of another. */
  const withPlacesOf = (finding: Finding, earlier: Finding): Finding => ({
    ...finding,
    ...earlier,
    ...findingPlaces(finding.terraformAddress, finding.liveId),
  });
  for (const finding of additions) {
    const first = firstAdditions.get(finding);
    const address = finding.terraformAddress ?? first?.terraformAddress ?? '';
    if (first === undefined) firstAdditions.set(finding, finding);
    else if (address === (first.terraformAddress ?? ''))
      firstAdditions.set(finding, withPlacesOf(finding, first));
    else {
      const byAddress = furtherAdditions.get(finding) ?? new Map<string, Finding>();
      const earlier = byAddress.get(address);
      byAddress.set(address, earlier === undefined ? finding : withPlacesOf(finding, earlier));
      furtherAdditions.set(finding, byAddress);
    }
  }
  const merged = findings.map((finding) => {
    const addition = firstAdditions.get(finding);
    if (addition === undefined) return finding;
    return {
      ...finding,
      ...findingPlaces(addition.terraformAddress, addition.liveId ?? finding.liveId),
    };
  });
  const includedFindings = new FindingMap<true>();
  for (const finding of findings) includedFindings.set(finding, true);
  for (const first of firstAdditions.values())
    if (includedFindings.get(first) === undefined)
      merged.push(first, ...(furtherAdditions.get(first)?.values() ?? []));
  return merged;
}

/**
 * A map by the properties that make findings of several inputs equal, without creating a new string
 * for each of half a million.
 */
class FindingMap<Value> {
  readonly #byStack = new Map<string | undefined, Map<Verdict, Map<string, Value>>>();

  get({ stack, verdict, fingerprint }: Finding): Value | undefined {
    return this.#byStack.get(stack)?.get(verdict)?.get(fingerprint);
  }

  set({ stack, verdict, fingerprint }: Finding, value: Value): void {
    const byVerdict = this.#byStack.get(stack) ?? new Map<Verdict, Map<string, Value>>();
    this.#byStack.set(stack, byVerdict);
    const byFingerprint = byVerdict.get(verdict) ?? new Map<string, Value>();
    byVerdict.set(verdict, byFingerprint);
    byFingerprint.set(fingerprint, value);
  }

  *values(): Generator<Value> {
    for (const byVerdict of this.#byStack.values())
      for (const byFingerprint of byVerdict.values()) yield* byFingerprint.values();
  }
}

/** The places of a finding beyond the source, as far as they are known. */
export function findingPlaces(
  terraformAddress: string | undefined,
  liveId: string | undefined,
): Pick<Finding, 'terraformAddress' | 'liveId'> {
  return omitUndefined({ terraformAddress, liveId });
}
