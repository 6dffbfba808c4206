import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleList } from '../console-data.js';
import { momentOf, timeOfDay } from './time-text.js';
import { pageAddress } from './router.js';

/** A list sorted by name. */
export function sortedByName<T extends { readonly name: string }>(
  list: readonly T[],
): readonly T[] {
  return list.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/** The time of day, with the date as its tooltip. */
export function Time({ at }: { at: string | number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={momentOf(at)}>
      {timeOfDay(at)}
    </time>
  );
}

/** The host of an app's address, as a link. */
export function Host({ url }: { url: string | undefined }) {
  if (url === undefined) return <>no ingress</>;
  return (
    <a class="host" href={url}>
      {new URL(url).host}
    </a>
  );
}

/** Names as links to their pages, in one line. */
export function Links({ section, names }: { section: string; names: readonly string[] }) {
  if (names.length === 0) return <>none</>;
  return (
    <>
      {names.map((name, index) => (
        <>
          {index > 0 && ', '}
          <a href={pageAddress(section, name)}>{name}</a>
        </>
      ))}
    </>
  );
}

/** A term and its description in a description list; nothing if it has none. */
export function Fact({ name, children }: { name: string; children?: ComponentChildren }) {
  if (children === undefined || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Preformatted text, which can be scrolled by keyboard. */
export function Code({ text }: { text: string }) {
  return (
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

/** The page of an object that doesn't exist, with a link to all others. */
export function Missing({
  name,
  reason,
  all,
}: {
  name: string;
  reason: string;
  all: ComponentChildren;
}) {
  return (
    <>
      <h1>{name}</h1>
      <p class="empty">
        {reason} {all}
      </p>
    </>
  );
}

/** Says that a list of the services goes on after what a page shows; nothing if it doesn't. */
export function TruncationNote({
  list,
  shown,
  truncatedLists,
}: {
  list: ConsoleList;
  /** How many entries the page shows. */
  shown: number;
  truncatedLists: readonly ConsoleList[];
}) {
  if (!truncatedLists.includes(list)) return null;
  return (
    <p class="note">
      The first {shown} {list} that the service lists; it has more.
    </p>
  );
}

/** A row of a table. */
type Row = readonly ComponentChildren[];

/** A table with more rows than this has a filter, if it has texts for one. */
const maxUnfilteredRows = 12;

/**
 * A table that becomes a list of cards where the page is narrow; each cell then names its column.
 */
export function Table(props: {
  caption: string;
  columns: readonly string[];
  rows: readonly Row[];
  empty: string;
  /** The column that names the row. @default the first */
  rowHeader?: string;
  /** The columns of figures. */
  numeric?: readonly string[];
  /** Whether a row of a narrow page is a line of values above its name, without their columns. */
  dense?: boolean;
  /** The text of each row that a filter searches. @default there is no filter */
  filterTexts?: readonly string[];
}) {
  const { caption, columns, empty, numeric = [], rowHeader = columns[0], filterTexts = [] } = props;
  const [filter, setFilter] = useState('');
  if (props.rows.length === 0) return <p class="empty">{empty}</p>;
  const searchTerm = filter.toLowerCase();
  const rows = props.rows.filter(
    (_, index) => filterTexts[index]?.toLowerCase().includes(searchTerm) ?? true,
  );
  return (
    <>
      {filterTexts.length > maxUnfilteredRows && (
        <form class="row" onSubmit={(event) => event.preventDefault()}>
          <input
            type="search"
            placeholder="Filter"
            aria-label={`Filter: ${caption}`}
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
          <output class="note">
            {rows.length} of {filterTexts.length}
          </output>
        </form>
      )}
      <table class={props.dense === true ? 'dense' : undefined}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column} class={numeric.includes(column) ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, index) =>
                columns[index] === rowHeader ? (
                  <th scope="row" key={index}>
                    {cell}
                  </th>
                ) : (
                  <td
                    key={index}
                    data-label={columns[index]}
                    class={numeric.includes(columns[index] ?? '') ? 'number' : undefined}
                  >
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
