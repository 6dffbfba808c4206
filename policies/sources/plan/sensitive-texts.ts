import { isObject } from '../../../core/values/is-object.js';
import type { Finding } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { PlannedResource } from '../../engine/planned-resource.js';

/** What stands in the place of a sensitive value, as in Terraform's own output. */
const replacement = '(sensitive)';

/** Shorter texts are replaced only where they are quoted: they occur in words of a message, too. */
const minLength = 6;

/**
 * The texts in a value that a plan or state marks as sensitive.
 *
 * @param marks in the form of the value, with `true` for a sensitive one.
 */
export function sensitiveTextsIn(
  value: unknown,
  marks: unknown,
  path: ConfigPath = [],
): readonly string[] {
  if (marks === false || marks === null || marks === undefined || isNameOfSecret(path)) return [];
  if (typeof value === 'string') return marks === true && value !== '' ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) =>
    sensitiveTextsIn(each, marks === true ? true : (marks as Record<string, unknown>)[key], [
      ...path,
      key,
    ]),
  );
}

/** The provider marks whole blocks `secret` of apps, whose names others refer to. */
function isNameOfSecret(path: ConfigPath): boolean {
  return path.length === 3 && path[0] === 'secret' && path[2] === 'name';
}

/** Findings without the sensitive values of the resources that they are about. */
export function hideSensitiveTexts(
  findings: readonly Finding[],
  resources: readonly PlannedResource[],
): readonly Finding[] {
  const textsByAddress = new Map(
    resources.flatMap(({ address, sensitiveTexts = [] }) =>
      sensitiveTexts.length === 0
        ? []
        : // the longest first: it may contain another one
          [[address, [...new Set(sensitiveTexts)].sort((a, b) => b.length - a.length)] as const],
    ),
  );
  if (textsByAddress.size === 0) return findings;
  return findings.map((finding) => {
    const texts = textsByAddress.get(finding.terraformAddress ?? '');
    return texts === undefined ? finding : withoutTexts(finding, texts);
  });
}

function withoutTexts(finding: Finding, texts: readonly string[]): Finding {
  const hide = (text: string): string =>
    texts.reduce(
      (result, each) =>
        each.length >= minLength
          ? result.replaceAll(each, replacement)
          : result.replaceAll(`"${each}"`, `"${replacement}"`),
      text,
    );
  const hideAll = (value: unknown): unknown => {
    if (typeof value === 'string') return texts.includes(value) ? replacement : hide(value);
    if (Array.isArray(value)) return value.map(hideAll);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hideAll(each)]))
      : value;
  };
  const { fix, ...rest } = finding;
  const isFixShown = fix === undefined || JSON.stringify(hideAll(fix)) === JSON.stringify(fix);
  return {
    ...rest,
    message: hide(finding.message),
    parameters: hideAll(finding.parameters) as Finding['parameters'],
    ...(fix !== undefined && isFixShown && { fix }),
  };
}
