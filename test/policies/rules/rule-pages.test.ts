import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../core/findings/finding.js';
import { SourceText } from '../../../core/source/source-text.js';
import { checkStack } from '../../../policies/engine/check-stack.js';
import { loadConfig } from '../../../policies/model/load-config.js';
import { rules } from '../../../policies/rules/index.js';

const pages = join(__dirname, '../../../docs/rules');
const now = new Date('2026-11-01T00:00:00Z');
const configProblems = /^config-/;

/** Checks the text of a configuration. */
async function check(text: string, ruleId: string): Promise<readonly Finding[]> {
  const bytes = Buffer.from(text);
  const files = { look: () => ({ kind: 'file', size: bytes.length }) as const, read: () => bytes, list: () => [] };
  const { stacks, findings } = await loadConfig({ paths: ['castellan.yaml'], files });
  return [...findings, ...stacks.flatMap((stack) => checkStack(stack, { env: {}, now, ruleOptions: { [ruleId]: optionsIn(text) } }))];
}

/** A first line `# options: {…}` gives the rule options. */
function optionsIn(text: string): Record<string, unknown> {
  const written = /^# options: (\{.*\})$/m.exec(text)?.[1];
  return written === undefined ? {} : (JSON.parse(written) as Record<string, unknown>);
}

function blocks(page: string, heading: string): readonly string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  return [...section.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}

const page = (id: string) => readFileSync(join(pages, `${id}.md`), 'utf8');

describe.each(rules.map((rule) => [rule.id, rule] as const))('the page of %s', (id, rule) => {
  it('says what the rule says', () => {
    const text = page(id);
    expect(text).toContain(`# ${id}\n\n${rule.title}\n`);
    expect(text).toContain(`* Severity: ${rule.severity}\n* Source: ${rule.source}\n`);
    expect(text).toContain(`## Why\n\n${rule.why}\n`);
    for (const [messageId, message] of Object.entries(rule.messages)) expect(text).toContain(`* \`${messageId}\`: ${message}\n`);
  });

  it('has failing examples, each of which fails by this rule with a place in the text', async () => {
    const examples = blocks(page(id), 'Failing');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const own = (await check(example, id)).filter(({ ruleId, verdict }) => ruleId === id && verdict === 'fail');
      expect(own.length).toBeGreaterThan(0);
      for (const finding of own) {
        expect(Object.keys(rule.messages)).toContain(finding.messageId);
        expect(finding.message).not.toMatch(/\{\w+\}|undefined/);
        const line = new SourceText('castellan.yaml', example).line(finding.location?.line ?? 0);
        expect(line.trim()).not.toBe('');
      }
    }
  });

  it('has passing examples, which break no rule of weight', async () => {
    const examples = blocks(page(id), 'Passing');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const broken = (await check(example, id)).filter(
        ({ ruleId, severity, verdict }) => verdict === 'fail' && (ruleId === id || severity === 'error' || configProblems.test(ruleId)),
      );
      expect(broken).toEqual([]);
    }
  });
});

describe('the catalogue', () => {
  it('has no page without a rule', () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(
      readdirSync(pages)
        .map((name) => name.replace(/\.md$/, ''))
        .filter((name) => name !== 'index' && !ids.has(name)),
    ).toEqual([]);
    expect(existsSync(join(pages, 'index.md'))).toBe(true);
  });

  it('lists every rule in its index', () => {
    const index = page('index');
    for (const { id } of rules) expect(index).toContain(`(${id}.md)`);
  });

  it('has ids that are unique and named like their files', () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(existsSync(join(__dirname, `../../../policies/rules/${id}.ts`))).toBe(true);
  });
});
