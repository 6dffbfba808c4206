import type { Finding } from '../../../core/findings/finding.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { makeFinding } from '../../engine/finding-maker.js';
import { runRulesOnDeclaration } from '../../engine/run-rules.js';
import { schemaFindings } from '../../rules/declaration/schema-findings.js';
import type { SchemaNode } from '../../engine/schema-paths.js';
import { type Declaration, StackIndex } from '../../engine/stack-index.js';
import type { ReportDescriptor, Rule } from '../../engine/rule.js';
import { propertyValue } from '../../rules/declaration/schema-rules.js';
import { scaleRule } from '../../../kinds/container-app/replicas.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { unknownPlaceholder } from '../../../kinds/schema/readers.js';
import { appContainerName } from '../../rules/declaration/app-container-name.js';
import { appSecretReferences } from '../../rules/declaration/app-secret-references.js';
import { sections } from '../../../kinds/stack/schema.js';
import type { PlanCheckOptions } from './plan-check-options.js';
import type { AdditionalContainer } from './app-parts.js';
import type { JoinedDeclaration } from './joined-declarations.js';

/** The properties of an app that belong to a container. */
const containerProperties = new Set<unknown>(['image', 'command', 'args', 'env', 'probes']);

/**
 * Checks the parts of an app for which castellan.yaml has no properties: its other containers and
 * its scale rules.
 */
export function containerChecker({
  rules,
  ruleOptions,
  locate,
  now,
}: Pick<PlanCheckOptions, 'rules' | 'ruleOptions' | 'locate' | 'now'>): (
  app: Declaration,
) => readonly Finding[] {
  const runOptions = {
    scope: 'declaration',
    now,
    ...omitUndefined({ ruleOptions }),
  } as const;
  const schema = sections.containerApps as unknown as SchemaNode;
  const checkContainer = (app: Declaration, container: AdditionalContainer): readonly Finding[] => {
    const { section, origin } = app;
    const { secrets } = app.value as { readonly secrets?: unknown };
    // the name makes the fingerprint differ from that of the first container
    const name = `${app.name}.${container.list}.${container.name}`;
    const value = { ...container.value, ...omitUndefined({ secrets }) };
    const unknownPaths = [
      ...container.unknownPaths,
      ...app.unknownPaths.filter(([first]) => first === 'secrets'),
    ];
    const declaration = { section, name, value, unknownPaths, origin } as unknown as Declaration;
    const mistakes = schemaFindings(
      { section, value, unknownPaths, schema, subject: { path: [section, name], origin } },
      rules,
      locate,
    );
    const findings = runRulesOnDeclaration(
      declaration,
      new StackIndex({}, [declaration], () => [], locate),
      rules,
      runOptions,
    );
    return [...mistakes, ...findings].flatMap((finding) => {
      const [, , property, ...below] = finding.path ?? [];
      if (!containerProperties.has(property) || finding.ruleId === 'property-required') return [];
      const { fix: _fix, ...rest } = finding;
      return [
        {
          ...rest,
          path: [section, app.name, container.list, container.name, property as string, ...below],
        },
      ];
    });
  };
  return (app) => {
    const { appParts } = app as Partial<JoinedDeclaration>;
    if (appParts === undefined) return [];
    return [
      ...firstContainerNameFindings(app, appParts),
      ...appParts.containers.flatMap((container) => checkContainer(app, container)),
      ...scaleRuleFindings(app, appParts),
    ];
  };

  function firstContainerNameFindings(
    app: Declaration,
    { firstContainer, containers }: NonNullable<JoinedDeclaration['appParts']>,
  ): readonly Finding[] {
    if (!rules.includes(appContainerName)) return [];
    const subject = { path: [app.section, app.name], origin: app.origin };
    return containers
      .filter(({ name }) => name === firstContainer)
      .map(({ list, name }) =>
        makeFinding(
          appContainerName,
          { messageId: 'taken', path: [list, name], parameters: { name } },
          subject,
          locate,
        ),
      );
  }

  function scaleRuleFindings(
    app: Declaration,
    { scaleRules }: NonNullable<JoinedDeclaration['appParts']>,
  ): readonly Finding[] {
    const subject = { path: [app.section, app.name], origin: app.origin };
    const areSecretsUnknown = app.unknownPaths.some(([first]) => first === 'secrets');
    const names = Object.keys((app.value as { readonly secrets?: object }).secrets ?? {});
    const report = (rule: Rule, violation: ReportDescriptor): readonly Finding[] =>
      rules.some(({ id }) => id === rule.id) ? [makeFinding(rule, violation, subject, locate)] : [];
    return scaleRules.flatMap(({ name, value, unknownPaths }) => {
      const limits = Object.entries(scaleRule.properties).flatMap(([property, schema]) => {
        if (value[property] === undefined || unknownPaths.some(([first]) => first === property))
          return [];
        const words = mistakeIn(schema, value[property])?.message;
        const path = ['scaleRules', name, property];
        return words === undefined
          ? []
          : report(propertyValue, { messageId: 'validate', path, parameters: { property, words } });
      });
      const secrets = areSecretsUnknown ? [] : ((value['secrets'] ?? []) as readonly unknown[]);
      const missingSecrets = secrets.flatMap((secret) => {
        if (
          typeof secret !== 'string' ||
          secret === '' ||
          secret.includes(unknownPlaceholder) ||
          names.includes(secret)
        )
          return [];
        const hint = didYouMean(nearest(secret, names), '; declare it under secrets');
        return report(appSecretReferences, {
          messageId: 'missing',
          path: ['scaleRules', name],
          parameters: { given: secret, hint },
        });
      });
      return [...limits, ...missingSecrets];
    });
  }
}
