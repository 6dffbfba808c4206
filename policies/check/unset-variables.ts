import type { Finding } from '../../core/findings/finding.js';

/**
 * The findings, with one for each variable that is not set: the first place that needs it, and how
 * many more do.
 */
export function mergeUnsetVariables(findings: readonly Finding[]): readonly Finding[] {
  const byVariable = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = variablesKey(finding);
    if (key !== undefined) byVariable.set(key, [...(byVariable.get(key) ?? []), finding]);
  }
  return findings.flatMap((finding) => {
    const sameVariables = byVariable.get(variablesKey(finding) ?? '') ?? [finding];
    const [first, ...others] = sameVariables;
    if (finding !== first) return [];
    if (others.length === 0) return [finding];
    const environments = [...new Set(sameVariables.flatMap((each) => each.environments ?? []))];
    const othersText =
      others.length === 1 ? '1 more value needs' : `${String(others.length)} more need`;
    return [
      {
        ...finding,
        message: `${finding.message}; ${othersText} it`,
        ...(environments.length !== 0 && { environments }),
      },
    ];
  });
}

/**
 * The variables that an unknown finding waits for, whether they are secrets, and the change;
 * undefined for other findings.
 */
function variablesKey({ verdict, parameters, change }: Finding): string | undefined {
  const { variables, secret = false } = parameters;
  return verdict === 'unknown' && typeof variables === 'string'
    ? `${variables} ${String(secret)} ${change ?? ''}`
    : undefined;
}

/** The variables that unknown findings wait for, without those that only secrets need. */
export function unsetVariablesWithoutSecrets(findings: readonly Finding[]): readonly string[] {
  const variables = findings.flatMap(({ verdict, change, parameters }) =>
    verdict === 'unknown' && change !== 'unchanged' && parameters['secret'] !== true
      ? [parameters['variables']].filter((each) => typeof each === 'string')
      : [],
  );
  return [...new Set(variables.flatMap((each) => each.split(' and ')))].sort();
}
