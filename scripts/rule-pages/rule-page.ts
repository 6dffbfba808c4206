import type { Rule } from '../../policies/engine/rule.js';
import { typescriptExample } from './typescript-example.js';

/** A code block of a page: its language, and the name of its file. */
export interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** Rules that no construct can break, and why; their pages have no TypeScript. */
export const withoutConstructs: Readonly<Record<string, string>> = {
  'eventstream-definition-file': 'the construct refuses it by itself (CAS2006)',
  'eventstream-destination': 'a construct refers to the construct of an eventhouse',
  'group-lifecycle': 'the construct of the policy is given its groups',
  'group-membership-cycle': 'a construct refers only to what was made before it',
  'group-rule-overlaps': 'an option names the groups',
  'principal-lookup': 'the construct refuses it by itself (CAS2002)',
  'property-read-only': 'the compiler refuses it',
  'property-required': 'the compiler refuses it',
  'property-unknown': 'the compiler refuses it',
  'reference-exists': 'a construct refers to constructs',
  'secret-literal': 'the compiler refuses it',
  'workspace-items-limit': 'the example lowers the limit by an option',
};

/** Whether a rule checks declarations, so that constructs can break it. */
export function isForConstructs({ id, sections, scope }: Rule): boolean {
  return (
    scope !== 'change' &&
    withoutConstructs[id] === undefined &&
    (sections.length > 0 || /^(property|secret)-/.test(id))
  );
}

/** The code blocks of a section of a page, without TypeScript. */
export function blocksIn(page: string, heading: string): readonly Block[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  return [...section.matchAll(/```(\w+)(?: (\S+))?\n([\s\S]*?)```/g)].map(
    ([, language = '', file, text = '']) => ({
      language,
      file,
      text,
    }),
  );
}

/** The source of a rule, with links to the pages of docs/reference that state it. */
function withLinks(source: string): string {
  return source.replace(
    /\b(Sign-in|Directory|Items|Billing) rules\b/g,
    (name, topic: string) => `[${name}](../reference/${topic.toLowerCase()}-rules.md)`,
  );
}

/** The page of a rule, from the rule and the examples of the existing page. */
export function rulePage(rule: Rule, page: string): string {
  const { id, title, severity, source, why, messages } = rule;
  const otherSections = page
    .split(/^## /m)
    .slice(1)
    .filter((each) => !/^(Why|Failing|Passing|Messages)\n/.test(each));
  return [
    `# ${id}\n\n${title}\n\n* Severity: ${severity}\n* Source: ${withLinks(source)}\n\n`,
    `## Why\n\n${why}\n\n`,
    ...['Failing', 'Passing'].map(
      (heading) => `## ${heading}\n\n${examples(rule, blocksIn(page, heading))}`,
    ),
    `## Messages\n\n${Object.entries(messages)
      .map(([name, message]) => `* \`${name}\`: ${message}\n`)
      .join('')}`,
    ...otherSections.map((each) => `\n## ${each.trimEnd()}\n`),
  ].join('');
}

function examples(rule: Rule, blocks: readonly Block[]): string {
  return blocks
    .filter(({ language }) => language !== 'ts')
    .map((block) => {
      const program =
        isForConstructs(rule) && block.file === undefined
          ? typescriptExample(block.text)
          : undefined;
      return `${fence(block)}${program === undefined ? '' : fence({ language: 'ts', file: undefined, text: program })}`;
    })
    .join('');
}

function fence({ language, file, text }: Block): string {
  return `\`\`\`${language}${file === undefined ? '' : ` ${file}`}\n${text}\`\`\`\n\n`;
}

/** The topics of the list of rules, with the first words of their rules' ids. */
const topics: readonly (readonly [title: string, firstWords: readonly string[]])[] = [
  ['Who gets in', ['access']],
  ['Container apps', ['app', 'environment']],
  ['Sign-in', ['auth']],
  ['Registrations and people', ['registration', 'principal']],
  ['Groups', ['group']],
  ['Workspaces, eventhouses and eventstreams', ['workspace', 'item', 'eventhouse', 'eventstream']],
  ['Every declaration', ['property', 'reference', 'secret', 'location', 'overlay']],
  ['Changes and plans', ['change', 'plan']],
  ['What is there', ['live']],
  ['Policies and packs', ['policy', 'pack', 'suppression', 'baseline']],
];

/** The tables of all rules, by topic. @throws Error where a rule belongs to no topic. */
export function ruleTables(rules: readonly Rule[]): string {
  const topicOf = ({ id }: Rule): string => {
    const topic = topics.find(([, words]) => words.some((word) => id.startsWith(`${word}-`)));
    if (topic === undefined) throw new Error(`${id} belongs to no topic of scripts/rule-pages`);
    return topic[0];
  };
  const byTopic = rules.map((rule) => ({ rule, topic: topicOf(rule) }));
  return topics
    .map(([name]) => {
      const topicRules = byTopic.filter(({ topic }) => topic === name).map(({ rule }) => rule);
      return `## ${name}\n\n${ruleTable(topicRules)}\n`;
    })
    .join('');
}

function ruleTable(rules: readonly Rule[]): string {
  const rows = rules.map(
    ({ id, severity, title }) =>
      `| [${id}](${id}.md) | ${severity} | ${title.replaceAll('|', '\\|')} |\n`,
  );
  return `| rule | severity | what it demands |\n|---|---|---|\n${rows.join('')}`;
}
