import type { Severity } from '../../core/findings/finding.js';
import {
  type ReportDescriptor,
  type ResourceContext,
  type Rule,
  type RuleContext,
} from '../engine/rule.js';

/**
 * Wraps a rule so that its checks throw for its bugs: an unknown message id, an invalid path, and a
 * check that continues after it has returned, whose findings nothing would collect. The caller
 * reports the error after the rule's id (`the rule no-red failed: it has no message "blue"`).
 *
 * @throws Error when the rule lacks a required property.
 */
export function guardRule(rule: Rule): Rule {
  const { id, messages, check, checkRemoved, checkResource } = rule;
  checkRuleId(id);
  if (!isSeverity(rule.severity))
    throw new Error(`the rule ${id} has ${severityMistake(rule.severity)}`);
  if (check === undefined && checkRemoved === undefined && checkResource === undefined)
    throw new Error(`the rule ${id} has no check`);
  if (checkRemoved !== undefined && rule.scope !== 'change')
    throw new Error(`the rule ${id} has checkRemoved: its scope must be "change"`);
  if ((checkResource === undefined) !== (rule.resources === undefined))
    throw new Error(
      `the rule ${id} needs both resources (their Terraform types) and checkResource`,
    );
  const withCheckedReports = <Context extends RuleContext | ResourceContext>(
    context: Context,
  ): Context => {
    // Inherits the properties of the context: only `report` differs.
    const guardedContext: Context = Object.create(context, {
      report: {
        value: (report: ReportDescriptor) => context.report(checkReport(messages, report)),
      },
    }) as Context;
    return guardedContext;
  };
  return {
    ...rule,
    ...(check !== undefined && {
      check: (declaration, context) =>
        refusePromise(id, check.call(rule, declaration, withCheckedReports(context))),
    }),
    ...(checkResource !== undefined && {
      checkResource: (resource, context) =>
        refusePromise(id, checkResource.call(rule, resource, withCheckedReports(context))),
    }),
    ...(checkRemoved !== undefined && {
      checkRemoved: (declaration, context) =>
        refusePromise(id, checkRemoved.call(rule, declaration, withCheckedReports(context))),
    }),
  };
}

function checkReport(messages: Rule['messages'], report: unknown): ReportDescriptor {
  const { messageId, path, severity } = (report ?? {}) as Partial<ReportDescriptor>;
  if (typeof messageId !== 'string' || !Object.hasOwn(messages, messageId))
    throw new Error(
      `it has no message "${String(messageId)}", only ${Object.keys(messages).join(', ')}`,
    );
  if (severity !== undefined && !isSeverity(severity))
    throw new Error(`it reports with ${severityMistake(severity)}`);
  const isPath =
    path === undefined ||
    (Array.isArray(path) &&
      path.every((step) => typeof step === 'string' || typeof step === 'number'));
  if (!isPath)
    throw new Error("the path of a report is a list of keys and positions, such as ['owners', 2]");
  return report as ReportDescriptor;
}

// A check doesn't fail for a severity that it doesn't know.
const severities: readonly unknown[] = ['error', 'warning', 'info'] satisfies readonly Severity[];

function isSeverity(value: unknown): value is Severity {
  return severities.includes(value);
}

function severityMistake(value: unknown): string {
  const given = value === undefined ? 'no severity' : `the severity "${String(value)}"`;
  return `${given}; allowed: ${severities.join(', ')}`;
}

function refusePromise(id: string, result: unknown): void {
  if (result === null || typeof result !== 'object' || !('then' in result)) return;
  // Its end is not awaited; a rejection must not end the program before the failure is reported.
  Promise.resolve(result).catch((error: unknown) =>
    process.stderr.write(`${id}: ${String(error)}\n`),
  );
  throw new Error('its check is asynchronous: what it finds would come too late');
}

/**
 * Checks that policies, suppressions and reports can refer to an id.
 *
 * @throws Error when they cannot.
 */
export function checkRuleId(id: string): string {
  if (/^[a-z][a-z0-9-]*$/.test(id)) return id;
  throw new Error(
    `"${id}" can't be the id of a rule: lower-case letters, digits and hyphens, beginning with a letter`,
  );
}
