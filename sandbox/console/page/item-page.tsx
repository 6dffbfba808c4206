import { useEffect, useState } from 'preact/hooks';
import type { ItemDetails } from '../item-details.js';
import type { ItemView, ConsoleData } from '../console-data.js';
import { Picture } from './picture.js';
import { Operations } from './items-page.js';
import { pageAddress } from './router.js';
import { type ConsoleState, getJson } from './state.js';
import { Code, Fact, Missing, Table, Time } from './elements.js';

/** Longer parts of a definition are folded, in characters. */
const maxOpenText = 4_000;

/** The item types of the sections that pictures link to. */
const typeBySection: Readonly<Record<string, string>> = {
  eventhouses: 'Eventhouse',
  eventstreams: 'Eventstream',
};

/** One item: its properties, its definition, connected items, and the calls about it. */
export function ItemPage({
  section,
  name,
  consoleData,
  calls,
}: {
  section: string;
  name: string;
  consoleData: ConsoleData;
  calls: ConsoleState['calls'];
}) {
  const { items } = consoleData;
  const item =
    items.find(({ id }) => id === name) ??
    items.find((each) => each.name === name && each.type === typeBySection[section]);
  const details = useDetails(item, items);
  if (item === undefined) {
    const all = <a href="#/items">All items</a>;
    return <Missing name={name} reason="No workspace has such an item." all={all} />;
  }
  const { id, type, description, workspace, workspaceId } = item;
  const itemCalls = calls.filter(({ path }) => path.includes(id)).toReversed();
  return (
    <>
      <p class="crumb">
        <a href="#/items">Items</a> ›{' '}
        <a href={pageAddress('workspaces', workspaceId)}>{workspace}</a>
      </p>
      <h1>{item.name}</h1>
      <p class="lead">
        {type}
        {description ? ` · ${description}` : ''}
      </p>
      {details?.flow !== undefined && (
        <>
          <h2>How events flow</h2>
          <Picture svg={details.flow} appStates={[]} />
        </>
      )}
      <h2>Properties</h2>
      <dl>
        <Fact name="Object id">
          <code>{id}</code>
        </Fact>
        {Object.entries(details?.properties ?? {}).map(([key, value]) => (
          <Fact key={key} name={labelOf(key)}>
            <Value value={value} items={items} />
          </Fact>
        ))}
      </dl>
      <Connected details={details} items={items} />
      <h2>Definition</h2>
      {details === undefined && <p class="loading">Reading…</p>}
      {details?.parts.length === 0 && <p class="empty">This type of item has none.</p>}
      {details?.parts.map(({ path, text }) => (
        <details key={path} open={text.length < maxOpenText}>
          <summary>{path}</summary>
          <Code text={text === '' ? '(empty)' : text} />
        </details>
      ))}
      <h2>Operations</h2>
      <Operations calls={calls} items={items} onlyItem={item} />
      <h2>Latest calls about this item</h2>
      <Table
        caption={`Calls about ${item.name}`}
        empty="None since the sandbox started."
        columns={['Time', 'Call', 'Status']}
        rowHeader="Call"
        dense
        rows={itemCalls
          .slice(0, 20)
          .map((call) => [
            <Time at={call.at} />,
            <a href={pageAddress('activity', String(call.id))}>{callText(call)}</a>,
            call.status,
          ])}
      />
    </>
  );
}

/** The details of an item; undefined until they have arrived. */
function useDetails(
  item: ItemView | undefined,
  items: readonly ItemView[],
): ItemDetails | undefined {
  const [details, setDetails] = useState<ItemDetails & { readonly itemId: string }>();
  const id = item?.id;
  useEffect(() => {
    if (id === undefined) return;
    getJson<ItemDetails>(`api/items/${id}`).then(
      (answer) => setDetails({ ...answer, itemId: id }),
      () => setDetails(undefined), // deleted meanwhile: the next list of items lacks it
    );
  }, [id, items]);
  return details?.itemId === id ? details : undefined;
}

/** A property; ids of items are links to them. */
function Value({ value, items }: { value: unknown; items: readonly ItemView[] }) {
  if (Array.isArray(value))
    return (
      <ul class="inline">
        {value.map((each) => (
          <li key={String(each)}>
            <Value value={each} items={items} />
          </li>
        ))}
      </ul>
    );
  const item = items.find(({ id }) => id === value);
  if (item !== undefined) return <a href={pageAddress('items', item.id)}>{item.name}</a>;
  return <>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</>;
}

function Connected({
  details,
  items,
}: {
  details: ItemDetails | undefined;
  items: readonly ItemView[];
}) {
  const { uses = [], usedBy = [] } = details ?? {};
  const rows = items
    .filter(({ id }) => uses.includes(id) || usedBy.includes(id))
    .map((item) => ({
      item,
      relation: [
        ...(uses.includes(item.id) ? ['used by this one'] : []),
        ...(usedBy.includes(item.id) ? ['uses this one'] : []),
      ].join(', '),
    }));
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Connected items</h2>
      <Table
        caption="Connected items"
        empty=""
        columns={['Item', 'Type', 'How']}
        rows={rows.map(({ relation, item: { id, name, type } }) => [
          <a href={pageAddress('items', id)}>{name}</a>,
          type,
          relation,
        ])}
      />
    </>
  );
}

/** `queryServiceUri` as `Query service uri`. */
function labelOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Method and path of a call, without the workspace and with short ids. */
function callText({ method, path }: ConsoleState['calls'][number]): string {
  const [, rest = path] = /\/workspaces\/[^/]+\/([^?]+)/.exec(path) ?? [];
  return `${method} ${rest.replace(/\/[0-9a-f-]{36}/g, '/…')}`;
}
