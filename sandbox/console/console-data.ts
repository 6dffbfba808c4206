import { existsSync } from 'node:fs';
import type { AppView } from '../hosting/app-status.js';
import type { SandboxPaths } from '../paths.js';
import { readSeedFile } from '../serve/seed-file.js';
import { type AppliedStackFile, appliedStackFiles } from './applied-stack-files.js';
import { type FirstPages, type RequestJson, readFirstPages } from './service-requests.js';

/** An owner or member of a group. */
export interface Member {
  readonly id: string;
  readonly name: string;
  /** The type in the directory: `user`, `group`, `servicePrincipal`. */
  readonly type: string;
}

/** A group on a page. */
export interface GroupView {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly kind: 'unified' | 'security';
  readonly mail: string | undefined;
  readonly mailNickname: string | undefined;
  readonly visibility: string | undefined;
  /** The membership rule of a dynamic group; undefined for others. */
  readonly rule: string | undefined;
  /** Whether the rule is applied: `On` or `Paused`; undefined without a rule. */
  readonly processing: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly owners: readonly Member[];
  readonly members: readonly Member[];
}

/** A person on a page. */
export interface PersonView {
  readonly id: string;
  readonly name: string;
  readonly userPrincipalName: string;
  readonly department: string | undefined;
  /** Whether the account may sign in. */
  readonly enabled: boolean;
}

/** A registration of an app at the identity provider. */
export interface RegistrationView {
  /** The object id. */
  readonly id: string;
  /** The client id. */
  readonly appId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Which groups tokens have (`groupMembershipClaims`); undefined for none. */
  readonly groupClaims: string | undefined;
}

/** An item of a workspace. */
export interface ItemView {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly description: string | undefined;
  /** The display name of its workspace. */
  readonly workspace: string;
  readonly workspaceId: string;
}

/** The sums of an invoice's transactions in one of its currencies. */
export interface InvoiceView {
  /** The name of the billing account. */
  readonly account: string;
  readonly invoice: string;
  readonly currency: string;
  /** How many transactions are summed. */
  readonly transactionCount: number;
  /** How many transactions of the invoice, in all currencies, are read: at most 2000. */
  readonly readCount: number;
  /** How many transactions the invoice has in all. */
  readonly totalCount: number;
  /** By product family, the largest sum first. */
  readonly byProduct: readonly Sum[];
  /** By the display name of the invoice section, the largest sum first. */
  readonly bySection: readonly Sum[];
  /** By date (`2026-01-31`), the earliest first; without transactions that have none. */
  readonly byDay: readonly Sum[];
}

interface Sum {
  /** What the sum is of: a product family, an invoice section or a date. */
  readonly name: string;
  /** In the currency of the invoice. */
  readonly amount: number;
}

/** The data of the console's pages, read at one time. */
export interface ConsoleData {
  /** The address of the sandbox: `https://localhost:8443`. */
  readonly origin: string;
  readonly stacks: readonly AppliedStackFile[];
  readonly apps: readonly AppView[];
  /** The first 200 groups. */
  readonly groups: readonly GroupView[];
  /** How many groups the directory has, of which at most 9990 are counted. */
  readonly groupCount: number;
  /** The first 9990 users of the directory. */
  readonly people: readonly PersonView[];
  /** The first 9990 applications of the directory. */
  readonly registrations: readonly RegistrationView[];
  readonly items: readonly ItemView[];
  readonly invoices: readonly InvoiceView[];
  /** The lists that go on after what was read of them. */
  readonly truncatedLists: readonly ConsoleList[];
}

/** A list of a service that the console reads the beginning of. */
export type ConsoleList = 'groups' | 'people' | 'registrations' | 'items';

/** How many groups are shown, with their owners and members. */
const maxGroups = 200;
/** How many pages of 50 transactions are read of an invoice, at most. */
const maxTransactionPages = 40;

/** Reads the present content of the services. */
export async function readConsoleData(options: {
  readonly origin: string;
  readonly paths: SandboxPaths;
  readonly apps: readonly AppView[];
  readonly requestJson: RequestJson;
}): Promise<ConsoleData> {
  const { origin, paths, apps, requestJson } = options;
  const [groups, people, registrations, items, invoices] = await Promise.all([
    readGroups(requestJson),
    readPeople(requestJson),
    readRegistrations(requestJson),
    readItems(requestJson),
    readInvoices(paths, requestJson),
  ]);
  const lists = { groups, people, registrations, items };
  const names = ['groups', 'people', 'registrations', 'items'] as const;
  return {
    origin,
    stacks: appliedStackFiles(paths),
    apps,
    groups: groups.entries,
    groupCount: groups.count,
    people: people.entries,
    registrations: registrations.entries,
    items: items.entries,
    invoices,
    truncatedLists: names.filter((name) => lists[name].hasMore),
  };
}

interface DirectoryObject {
  readonly '@odata.type'?: string;
  readonly id: string;
  readonly displayName?: string;
  readonly userPrincipalName?: string;
}

async function readGroups(
  requestJson: RequestJson,
): Promise<FirstPages<GroupView> & { readonly count: number }> {
  const { entries: allGroups, hasMore } = await readFirstPages<
    Record<string, unknown> & DirectoryObject
  >(requestJson, 'directory', '/v1.0/groups?$top=999');
  const groups = await Promise.all(
    allGroups.slice(0, maxGroups).map(async (group): Promise<GroupView> => {
      const readRelation = async (relation: 'owners' | 'members'): Promise<readonly Member[]> => {
        const path = `/v1.0/groups/${group.id}/${relation}`;
        const { entries } = await readFirstPages<DirectoryObject>(requestJson, 'directory', path);
        return entries.map(toMember);
      };
      const [owners, members] = await Promise.all([
        readRelation('owners'),
        readRelation('members'),
      ]);
      const text = (name: string): string | undefined =>
        typeof group[name] === 'string' ? group[name] : undefined;
      const types = (group['groupTypes'] ?? []) as readonly string[];
      return {
        id: group.id,
        name: group.displayName ?? group.id,
        kind: types.includes('Unified') ? 'unified' : 'security',
        description: text('description'),
        mail: text('mail'),
        mailNickname: text('mailNickname'),
        visibility: text('visibility'),
        rule: text('membershipRule'),
        processing: text('membershipRuleProcessingState'),
        createdAt: text('createdDateTime'),
        owners,
        members,
      };
    }),
  );
  return { entries: groups, count: allGroups.length, hasMore };
}

function toMember(object: DirectoryObject): Member {
  const type = object['@odata.type']?.split('.').at(-1) ?? 'object';
  return { id: object.id, name: object.displayName ?? object.userPrincipalName ?? object.id, type };
}

async function readPeople(requestJson: RequestJson): Promise<FirstPages<PersonView>> {
  const path =
    '/v1.0/users?$select=id,displayName,userPrincipalName,department,accountEnabled&$top=999';
  const { entries: users, hasMore } = await readFirstPages<
    DirectoryObject & { department?: string | null; accountEnabled?: boolean | null }
  >(requestJson, 'directory', path);
  const people = users.map(
    ({ id, displayName, userPrincipalName = '', department, accountEnabled }) => ({
      id,
      name: displayName ?? userPrincipalName,
      userPrincipalName,
      enabled: accountEnabled !== false,
      department: department ?? undefined,
    }),
  );
  return { entries: people, hasMore };
}

async function readRegistrations(requestJson: RequestJson): Promise<FirstPages<RegistrationView>> {
  const { entries: applications, hasMore } = await readFirstPages<
    DirectoryObject & {
      appId: string;
      groupMembershipClaims?: string | null;
      web?: { redirectUris?: readonly string[] } | null;
    }
  >(requestJson, 'directory', '/v1.0/applications?$top=999');
  const registrations = applications.map(
    ({ id, appId, displayName, groupMembershipClaims, web }) => ({
      id,
      appId,
      name: displayName ?? appId,
      redirectUris: web?.redirectUris ?? [],
      groupClaims: groupMembershipClaims ?? undefined,
    }),
  );
  return { entries: registrations, hasMore };
}

/** The items of the first workspaces, of each the first items. */
export async function readItems(requestJson: RequestJson): Promise<FirstPages<ItemView>> {
  const { entries: workspaces, hasMore } = await readFirstPages<{
    id: string;
    displayName: string;
  }>(requestJson, 'items', '/v1/workspaces');
  const itemsByWorkspace = await Promise.all(
    workspaces.map(async (workspace) => {
      const { entries, hasMore: hasMoreItems } = await readFirstPages<{
        id: string;
        type: string;
        displayName: string;
        description?: string;
      }>(requestJson, 'items', `/v1/workspaces/${workspace.id}/items`);
      const items = entries.map(({ id, type, displayName, description }) => ({
        id,
        type,
        name: displayName,
        workspace: workspace.displayName,
        workspaceId: workspace.id,
        description,
      }));
      return { items, hasMoreItems };
    }),
  );
  return {
    entries: itemsByWorkspace.flatMap(({ items }) => items),
    hasMore: hasMore || itemsByWorkspace.some(({ hasMoreItems }) => hasMoreItems),
  };
}

interface Transaction {
  readonly properties: {
    readonly date?: string;
    readonly productFamily?: string;
    readonly invoiceSectionDisplayName?: string;
    readonly transactionAmount?: { readonly currency?: string; readonly value?: number };
  };
}

/** The invoices that the seeds name, since the service has no list of invoices. */
async function readInvoices(
  paths: SandboxPaths,
  requestJson: RequestJson,
): Promise<readonly InvoiceView[]> {
  const billing = [paths.seed, paths.addedSeed].filter(existsSync).flatMap((file) => {
    const seed = readSeedFile(file) as {
      billing?: readonly { billingAccount: string; invoice: string }[];
    };
    return seed.billing ?? [];
  });
  const uniqueInvoices = new Map(
    billing.map((each) => [`${each.billingAccount} ${each.invoice}`, each]),
  );
  const invoices = await Promise.all(
    [...uniqueInvoices.values()].map(async ({ billingAccount, invoice }) => {
      const path = `/providers/Microsoft.Billing/billingAccounts/${billingAccount}/invoices/${invoice}/transactions?api-version=2024-04-01`;
      const [{ entries: transactions }, count] = await Promise.all([
        readFirstPages<Transaction>(requestJson, 'billing', `${path}&top=50`, maxTransactionPages),
        requestJson<{ totalCount: number }>('billing', `${path}&top=0&count=true`),
      ]);
      const currencies = new Set(transactions.map(currencyOf));
      return [...currencies].map((currency): InvoiceView => {
        const transactionsInCurrency = transactions.filter((each) => currencyOf(each) === currency);
        return {
          account: billingAccount,
          invoice,
          currency,
          transactionCount: transactionsInCurrency.length,
          readCount: transactions.length,
          totalCount: count?.totalCount ?? transactions.length,
          byProduct: sumsBy(transactionsInCurrency, ({ productFamily }) => productFamily ?? ''),
          bySection: sumsBy(
            transactionsInCurrency,
            ({ invoiceSectionDisplayName }) => invoiceSectionDisplayName ?? '',
          ),
          byDay: sumsBy(
            transactionsInCurrency.filter(({ properties }) => properties.date !== undefined),
            ({ date = '' }) => date.slice(0, 10),
          ).toSorted((a, b) => a.name.localeCompare(b.name)),
        };
      });
    }),
  );
  return invoices.flat();
}

function currencyOf({ properties }: Transaction): string {
  return properties.transactionAmount?.currency ?? '';
}

/** The sums of transactions with the same name, the largest first. */
function sumsBy(
  transactions: readonly Transaction[],
  nameOf: (properties: Transaction['properties']) => string,
): readonly Sum[] {
  const amounts = new Map<string, number>();
  for (const { properties } of transactions) {
    const name = nameOf(properties);
    amounts.set(name, (amounts.get(name) ?? 0) + (properties.transactionAmount?.value ?? 0));
  }
  return [...amounts]
    .map(([name, amount]) => ({ name, amount }))
    .sort((a, b) => b.amount - a.amount);
}
