import type { ComponentChildren } from 'preact';

/** A list in the order of its names. */
export function byName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/** The time of day in UTC, as the console's clock and the logs have it. */
export function timeOfDay(at: string | number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** A fact of a description list; nothing where there is none. */
export function Fact({ name, children }: { name: string; children?: ComponentChildren }) {
  if (children === undefined || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A text as it is, that can be scrolled by keyboard. */
export function Code({ text }: { text: string }) {
  return (
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

/** Shown in place of the page of an object that doesn't exist. */
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

/**
 * A table that becomes a list of cards where the page is narrow; each cell then names its column.
 */
export function Table(props: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  empty: string;
}) {
  const { caption, columns, rows, empty } = props;
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" key={column}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th scope="row" key={at}>
                  {cell}
                </th>
              ) : (
                <td key={at} data-label={columns[at]}>
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
