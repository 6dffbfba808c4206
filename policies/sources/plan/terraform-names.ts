import { identityProviders } from '../../../core/dialect/dialect.js';
import type { Finding } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { renderMessage } from '../../engine/rule.js';
import { rules } from '../../rules/index.js';
import { parseAddress } from './address.js';
import { attributeForProperty } from './attribute-names.js';
import { terraformMessages } from './terraform-messages.js';

/**
 * A finding about a resource that castellan did not write, in the words of its source: the
 * attributes of its type in place of the properties of castellan.yaml, and the cloud's names of
 * providers.
 */
export function withTerraformNames(finding: Finding): Finding {
  const { terraformAddress, path = [], fix } = finding;
  if (terraformAddress === undefined) return finding;
  const type = parseAddress(terraformAddress)?.type ?? '';
  const translate = (text: string): string => withAttributes(text, type, path.slice(2, -1));
  const message = translate(messageOf(finding, type));
  if (fix !== undefined) {
    const description = translate(describeFix(fix.description, path));
    return { ...finding, message, fix: { ...fix, description } };
  }
  return message === finding.message ? finding : { ...finding, message };
}

const templates = new Map(rules.map(({ id, messages }) => [id, messages]));

function messageOf(
  { ruleId, messageId, verdict, message, parameters }: Finding,
  type: string,
): string {
  const template = terraformMessages[ruleId]?.[messageId] ?? templates.get(ruleId)?.[messageId];
  if (verdict !== 'fail' || template === undefined) return message;
  if (!ruleId.startsWith('auth-')) return renderMessage(template, { ...parameters, type });
  const translatedParameters = Object.entries(parameters).map(
    ([name, value]): [string, unknown] => [
      name,
      Array.isArray(value) ? value.map(withProvider) : withProvider(value),
    ],
  );
  return renderMessage(template, { ...Object.fromEntries(translatedParameters), type });
}

const providerKeys: ReadonlyMap<unknown, string> = new Map(
  Object.entries(identityProviders).map(([key, { neutral }]) => [neutral[0], key]),
);

/** The cloud's name of a provider: `gitHub` for `codehost`; other values stay. */
function withProvider<Value>(value: Value): Value | string {
  if (typeof value !== 'string') return value;
  const inQuotes = (word: string): string => providerKeys.get(word) ?? word;
  return providerKeys.get(value) ?? value.replace(/(?<=")\w+(?=")/g, inQuotes);
}

/** `write min: 2` for `write 2`, since Terraform has the value in another place. */
function describeFix(description: string, path: ConfigPath): string {
  const property = path.findLast((step) => typeof step === 'string');
  const [, value] = /^write (\S+)$/.exec(description) ?? [];
  return value === undefined || property === undefined
    ? description
    : `write ${property}: ${value}`;
}

/**
 * Matches quoted text, which is kept, names with a value (`min: 2`), and names with dots or
 * capitals.
 */
const namePattern = new RegExp(
  [
    '"[^"]*"',
    '(?<=\\bwrite )[a-z]\\w*: [\\w.-]+',
    '(?<![-\\w])[a-z]\\w*: (?:true|false|-?\\d+(?:\\.\\d+)?)\\b',
    '\\b[a-z]\\w*(?:\\.[a-z]\\w*)+\\b',
    '\\b[a-z]+[A-Z]\\w*',
  ].join('|'),
  'g',
);

function withAttributes(text: string, type: string, parentPath: ConfigPath): string {
  return text.replace(namePattern, (match) => {
    if (match.startsWith('"')) return match;
    const [name = '', value] = match.split(': ');
    const attribute = attributeForProperty(type, name.split('.'), parentPath);
    if (attribute === undefined) return match;
    return value === undefined
      ? attribute.name
      : `${attribute.name} = ${literal(attribute.spellingOf(value))}`;
  });
}

function literal(value: string): string {
  return /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? value : JSON.stringify(value);
}
