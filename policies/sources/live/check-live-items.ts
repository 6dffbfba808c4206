import { append } from '../../../core/values/append.js';
import type { Finding } from '../../../core/findings/finding.js';
import { makeFinding, makeUnknown } from '../../engine/finding-maker.js';
import type { LiveItemRule, LiveItemSubject } from '../../engine/live-item-rule.js';
import { liveCatalogueRule, type LiveReport } from '../../engine/live-rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';
import { liveItemRules } from '../../live-rules/index.js';
import type { LiveItem, LiveItemsReader } from '../../model/live-items-reader.js';
import { isGuid } from '../../../core/values/guid.js';

/** How many items are asked about at once. */
const atOnce = 8;

type Declared = LiveItemSubject['declaration'];

/** The place of a declaration in the service, or why it can't be known. */
interface Surroundings {
  readonly beside: readonly LiveItem[];
  /** Undefined for workspaces themselves, and where the workspace is not there. */
  readonly workspaceId?: string | undefined;
}

/** What is looked for, and what is known of it. */
export interface LiveItemsOptions {
  readonly enabled: ReadonlySet<string>;
  /** The ids that a state knows, by `eventhouses.clicks`: they find what someone renamed. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Holds the declared workspaces, eventhouses and eventstreams of a stack against those that the service has. */
export async function checkLiveItems(
  index: StackIndex,
  reader: LiveItemsReader,
  { enabled, ids }: LiveItemsOptions,
): Promise<readonly Finding[]> {
  const rules = liveItemRules.filter(({ id }) => enabled.has(id));
  const declarations: readonly Declared[] = [...index.all('workspaces'), ...index.all('eventhouses'), ...index.all('eventstreams')];
  if (rules.length === 0) return [];
  const judge = itemJudge({ index, reader: remembering(reader), ids }, rules);
  const findings: Finding[] = [];
  for (let start = 0; start < declarations.length; start += atOnce)
    append(findings, (await Promise.all(declarations.slice(start, start + atOnce).map(judge))).flat());
  return findings;
}

/** Asks for each list once. */
function remembering(reader: LiveItemsReader): LiveItemsReader {
  const lists = new Map<string, Promise<readonly LiveItem[] | undefined>>();
  const once = (key: string, ask: () => Promise<readonly LiveItem[] | undefined>): Promise<readonly LiveItem[] | undefined> => {
    const answer = lists.get(key) ?? ask();
    lists.set(key, answer);
    return answer;
  };
  return {
    workspaces: () => once('', () => reader.workspaces()),
    items: (section, workspaceId) => once(`${section} ${workspaceId}`, () => reader.items(section, workspaceId)),
    definition: (section, workspaceId, itemId) => reader.definition(section, workspaceId, itemId),
  };
}

/** Where declared things are looked for. */
interface Search extends Pick<LiveItemsOptions, 'ids'> {
  readonly index: StackIndex;
  readonly reader: LiveItemsReader;
}

function itemJudge(search: Search, rules: readonly LiveItemRule[]) {
  const { index, reader, ids } = search;
  return async (declaration: Declared): Promise<readonly Finding[]> => {
    const { section, name, value } = declaration;
    const path = [section, name];
    // what has no name or place can't be looked up: other rules say that it needs them
    if (!isText(value.displayName) || (section !== 'workspaces' && !isText(declaration.value.workspace))) return [];
    const around = isOpen(declaration, 'displayName') ? 'its name is not known yet' : await surroundings(search, declaration);
    if (typeof around === 'string') return rules.map((rule) => unknownFinding(rule, { messageId: 'unknown' }, around));
    const { beside, workspaceId } = around;
    const item = findItem(beside, ids.get(path.join('.')), value.displayName);
    const origin = item === undefined ? {} : { liveId: item.id };
    const subject: LiveItemSubject = {
      declaration,
      item,
      extras: workspaceId === undefined ? [] : findUndeclared(index, declaration, beside),
      definition: async () =>
        item === undefined || workspaceId === undefined || section === 'workspaces'
          ? undefined
          : reader.definition(section, workspaceId, item.id),
      readFile: index.readFile,
    };
    const findings: Finding[] = [];
    for (const rule of rules)
      await rule.check(subject, (report) => {
        const { unknownBecause: why } = report;
        findings.push(
          why === undefined
            ? makeFinding(liveCatalogueRule(rule), report, { path, origin }, index.locate)
            : unknownFinding(rule, report, why, origin),
        );
      });
    return findings;

    function unknownFinding(rule: LiveItemRule, { path: place = [] }: LiveReport, why: string, details = {}): Finding {
      const finding = makeUnknown(liveCatalogueRule(rule), { path: place, value: undefined }, { path, origin: details }, index.locate);
      return { ...finding, message: `${place.join('.') || name} can't be judged: ${why}` };
    }
  };
}

/** The siblings of a declared thing in the service; a text says why they can't be known. */
async function surroundings({ index, reader, ids }: Search, declaration: Declared): Promise<Surroundings | string> {
  const unreadable = 'the service does not show its workspaces to the caller';
  if (declaration.section === 'workspaces') {
    const beside = await reader.workspaces();
    return beside === undefined ? unreadable : { beside };
  }
  const { section, value } = declaration;
  const workspace = index.find('workspaces', value.workspace);
  if (isOpen(declaration, 'workspace') || (workspace !== undefined && isOpen(workspace, 'displayName')))
    return 'the name of its workspace is not known yet';
  let workspaceId: string | undefined = workspace === undefined && isGuid(value.workspace) ? value.workspace : undefined;
  if (workspaceId === undefined) {
    const workspaces = await reader.workspaces();
    if (workspaces === undefined) return unreadable;
    workspaceId =
      workspace === undefined ? undefined : findItem(workspaces, ids.get(`workspaces.${workspace.name}`), workspace.value.displayName)?.id;
  }
  if (workspaceId === undefined) return { beside: [] };
  const beside = await reader.items(section, workspaceId);
  return beside === undefined ? 'the service does not show what is in its workspace to the caller' : { beside, workspaceId };
}

/** The one of that id, else of that name, else of that name in another case: the service takes them for the same. */
function findItem(items: readonly LiveItem[], id: string | undefined, name: string): LiveItem | undefined {
  const same = id === undefined ? undefined : items.find((item) => item.id === id);
  if (same !== undefined) return same;
  const alike = (item: LiveItem): boolean => item.displayName.toLowerCase() === String(name).toLowerCase();
  return items.find(({ displayName }) => displayName === name) ?? items.find(alike);
}

function findUndeclared(index: StackIndex, { section }: Declared, beside: readonly LiveItem[]): readonly string[] {
  const declared = new Set(index.all(section).map(({ value }) => String(value.displayName).toLowerCase()));
  return beside.flatMap(({ displayName }) => (declared.has(displayName.toLowerCase()) ? [] : [displayName]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOpen({ unknownPaths }: Pick<Declaration, 'unknownPaths'>, property: string): boolean {
  return unknownPaths.some(([first]) => first === property);
}
