import { appendAll } from '../../../core/values/append.js';
import type { Finding } from '../../../core/findings/finding.js';
import { makeFinding, makeUnknownFinding } from '../../engine/finding-maker.js';
import type { LiveItemRule, LiveItemSubject } from '../../engine/live-item-rule.js';
import { liveCatalogueRule, type LiveReport } from '../../engine/live-rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';
import { liveItemRules } from '../../rules/live/index.js';
import type { LiveItem, LiveItemsReader } from '../../model/live-items-reader.js';
import { isGuid } from '../../../core/values/guid.js';

/** The most concurrent requests for items. */
const concurrency = 8;

type DeclaredItem = LiveItemSubject['declaration'];

/** The live items beside a declared one, in the same workspace. */
interface Siblings {
  readonly items: readonly LiveItem[];
  /** Undefined for workspaces themselves, and if the workspace does not exist. */
  readonly workspaceId?: string | undefined;
}

/** Which rules run, and the known ids of items. */
export interface LiveItemsOptions {
  /** The ids of the rules that run. */
  readonly enabled: ReadonlySet<string>;
  /** The ids in a state, by `eventhouses.clicks`, which find renamed items. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Compares the declared workspaces, eventhouses and eventstreams of a stack with the live ones. */
export async function checkLiveItems(
  index: StackIndex,
  reader: LiveItemsReader,
  { enabled, ids }: LiveItemsOptions,
): Promise<readonly Finding[]> {
  const rules = liveItemRules.filter(({ id }) => enabled.has(id));
  const declarations: readonly DeclaredItem[] = [
    ...index.all('workspaces'),
    ...index.all('eventhouses'),
    ...index.all('eventstreams'),
  ];
  if (rules.length === 0) return [];
  const checkItem = itemChecker({ index, reader: cachingReader(reader), ids }, rules);
  const findings: Finding[] = [];
  for (let start = 0; start < declarations.length; start += concurrency)
    appendAll(
      findings,
      (await Promise.all(declarations.slice(start, start + concurrency).map(checkItem))).flat(),
    );
  return findings;
}

/** A reader that requests each list once. */
function cachingReader(reader: LiveItemsReader): LiveItemsReader {
  const lists = new Map<string, Promise<readonly LiveItem[] | undefined>>();
  const once = (
    key: string,
    request: () => Promise<readonly LiveItem[] | undefined>,
  ): Promise<readonly LiveItem[] | undefined> => {
    const answer = lists.get(key) ?? request();
    lists.set(key, answer);
    return answer;
  };
  return {
    workspaces: () => once('', () => reader.workspaces()),
    items: (section, workspaceId) =>
      once(`${section} ${workspaceId}`, () => reader.items(section, workspaceId)),
    definition: (section, workspaceId, itemId) => reader.definition(section, workspaceId, itemId),
  };
}

/** Where to look for declared items. */
interface Search extends Pick<LiveItemsOptions, 'ids'> {
  readonly index: StackIndex;
  readonly reader: LiveItemsReader;
}

function itemChecker(search: Search, rules: readonly LiveItemRule[]) {
  const { index, reader, ids } = search;
  return async (declaration: DeclaredItem): Promise<readonly Finding[]> => {
    const { section, name, value } = declaration;
    const path = [section, name];
    // without a name or parent it cannot be found: other rules report what is missing
    if (
      !isText(value.displayName) ||
      (section !== 'workspaces' && !isText(declaration.value.workspace))
    )
      return [];
    const siblings = isUnknown(declaration, 'displayName')
      ? 'its name is not known yet'
      : await findSiblings(search, declaration);
    if (typeof siblings === 'string')
      return rules.map((rule) => unknownFinding(rule, { messageId: 'unknown' }, siblings));
    const { items, workspaceId } = siblings;
    const item = findItem(items, ids.get(path.join('.')), value.displayName);
    const origin = item === undefined ? {} : { liveId: item.id };
    const subject: LiveItemSubject = {
      declaration,
      item,
      undeclaredNames: workspaceId === undefined ? [] : findUndeclared(index, declaration, items),
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

    function unknownFinding(
      rule: LiveItemRule,
      { path: place = [] }: LiveReport,
      why: string,
      itemOrigin = {},
    ): Finding {
      const finding = makeUnknownFinding(
        liveCatalogueRule(rule),
        { path: place, value: undefined },
        { path, origin: itemOrigin },
        index.locate,
      );
      return { ...finding, message: `${place.join('.') || name} can't be judged: ${why}` };
    }
  };
}

/** The live siblings of a declaration; a text says why they cannot be known. */
async function findSiblings(
  { index, reader, ids }: Search,
  declaration: DeclaredItem,
): Promise<Siblings | string> {
  const unreadable = 'the service does not show its workspaces to the caller';
  if (declaration.section === 'workspaces') {
    const items = await reader.workspaces();
    return items === undefined ? unreadable : { items };
  }
  const { section, value } = declaration;
  const workspace = index.find('workspaces', value.workspace);
  if (
    isUnknown(declaration, 'workspace') ||
    (workspace !== undefined && isUnknown(workspace, 'displayName'))
  )
    return 'the name of its workspace is not known yet';
  let workspaceId: string | undefined =
    workspace === undefined && isGuid(value.workspace) ? value.workspace : undefined;
  if (workspaceId === undefined) {
    const workspaces = await reader.workspaces();
    if (workspaces === undefined) return unreadable;
    workspaceId =
      workspace === undefined
        ? undefined
        : findItem(workspaces, ids.get(`workspaces.${workspace.name}`), workspace.value.displayName)
            ?.id;
  }
  if (workspaceId === undefined) return { items: [] };
  const items = await reader.items(section, workspaceId);
  return items === undefined
    ? 'the service does not show what is in its workspace to the caller'
    : { items, workspaceId };
}

/**
 * Finds an item by id, otherwise by name, otherwise by name in another letter case: the service
 * treats names as equal in any case.
 */
function findItem(
  items: readonly LiveItem[],
  id: string | undefined,
  name: string,
): LiveItem | undefined {
  const itemById = id === undefined ? undefined : items.find((item) => item.id === id);
  if (itemById !== undefined) return itemById;
  const hasSameName = (item: LiveItem): boolean =>
    item.displayName.toLowerCase() === String(name).toLowerCase();
  return items.find(({ displayName }) => displayName === name) ?? items.find(hasSameName);
}

function findUndeclared(
  index: StackIndex,
  { section }: DeclaredItem,
  siblings: readonly LiveItem[],
): readonly string[] {
  const declared = new Set(
    index.all(section).map(({ value }) => String(value.displayName).toLowerCase()),
  );
  return siblings.flatMap(({ displayName }) =>
    declared.has(displayName.toLowerCase()) ? [] : [displayName],
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isUnknown({ unknownPaths }: Pick<Declaration, 'unknownPaths'>, property: string): boolean {
  return unknownPaths.some(([first]) => first === property);
}
